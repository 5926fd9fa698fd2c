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
        let (tokens, isNew) = try await counted(by: [.customToken]) { () throws(ActionError) in
            try await accounts.signIn(by: customToken(text), in: project.id)
        }
        return .object([
            "kind": "identitytoolkit#VerifyCustomTokenResponse",
            "idToken": .string(tokens.idToken),
            "refreshToken": .string(tokens.refreshToken),
            "expiresIn": IssuedTokens.expiresIn,
            "isNewUser": .bool(isNew),
        ])
    }

    /// Unsigned tokens are accepted in development only (T1).
    private func customToken(_ text: String) throws(ActionError) -> CustomToken {
        toolkit.isDevelopment
            ? try CustomToken(unsigned: text) : try CustomToken(signed: text, by: project.serviceAccounts, at: accounts.tokens.now())
    }
}
