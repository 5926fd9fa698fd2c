internal import Accounts
internal import Base

extension APIMethod {
    static let signInWithCustomToken = APIMethod(
        "signInWithCustomToken",
        documentation: MethodDocumentation(
            summary: "Signs in with a token signed by one of the project's service accounts; creates the account if needed.",
            fields: [Property("token", .text)],
            response: .kind("VerifyCustomTokenResponse") + [.always("isNewUser", .flag)] + .tokens,
            refusals: [
                .missingCustomToken, .invalidCustomToken, .credentialMismatch, .missingIdentifier, .forbiddenClaim, .claimsTooLarge,
                .userDisabled,
            ]),
        run: { (call) throws(ActionError) in try await call.signInWithCustomToken() })
}

extension Call {
    /// `accounts:signInWithCustomToken`: signs in with a token that the app's own server made.
    func signInWithCustomToken() async throws(ActionError) -> JSON {
        guard let text = try body.text("token") else { throw .refused(.missingCustomToken) }
        let (tokens, isNew) = try await accounts.signIn(
            byCustomToken: text, acceptsUnsigned: toolkit.isDevelopment, from: client, in: project)
        return .object([
            "kind": "identitytoolkit#VerifyCustomTokenResponse",
            "idToken": .string(tokens.idToken),
            "refreshToken": .string(tokens.refreshToken),
            "expiresIn": IssuedTokens.expiresIn,
            "isNewUser": .bool(isNew),
        ])
    }
}
