internal import Accounts
internal import Base

extension APIMethod {
    static let createSessionCookie = APIMethod(
        "createSessionCookie", requiresAdmin: true,
        documentation: MethodDocumentation(
            summary: "Creates a session cookie with the claims of an ID token, for up to two weeks.",
            adminFields: [Property("idToken", .text), Property("validDuration", .int64, "Seconds, 300 to 1209600; 1209600 by default.")],
            response: [.always("sessionCookie", .text)],
            refusals: [.missingIDToken, .invalidIDToken, .invalidDuration, .tokenExpired, .userDisabled]),
        run: { (call) throws(ActionError) in try await call.createSessionCookie() })
}

extension Call {
    /// `projects/{project}:createSessionCookie`, for admins, because only they may name a project.
    func createSessionCookie() async throws(ActionError) -> JSON {
        guard case .user(let user) = actor else { throw .refused(.missingIDToken) }
        let longest = Accounts.cookieLifetimes.upperBound.components.seconds
        let span = Duration.seconds(try body.integer("validDuration") ?? longest)
        return .object(["sessionCookie": .string(try await accounts.sessionCookie(for: user.get(), lasting: span))])
    }
}
