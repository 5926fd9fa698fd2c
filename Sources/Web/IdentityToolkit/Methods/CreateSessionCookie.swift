internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `projects/{project}:createSessionCookie`, for admins, who alone may name a project.
    func createSessionCookie() async throws(ActionError) -> JSON {
        guard let idToken = try body.text("idToken") else { throw .refused(.missingIDToken) }
        let longest = Accounts.cookieLifetimes.upperBound.components.seconds
        let span = Duration.seconds(try body.integer("validDuration") ?? longest)
        return .object(["sessionCookie": .string(try await site.accounts.sessionCookie(for: idToken, in: project.id, lasting: span))])
    }
}
