internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:signInWithCustomToken`: a back-end vouches for somebody.
    func signInWithCustomToken() async throws(ActionError) -> JSON {
        guard let text = try body.text("token") else { throw .refused(.missingCustomToken) }
        try admit(.customToken)
        let (tokens, isNew) = try await site.accounts.signIn(by: customToken(text), in: project.id)
        return .object([
            "kind": "identitytoolkit#VerifyCustomTokenResponse",
            "idToken": .string(tokens.idToken),
            "refreshToken": .string(tokens.refreshToken),
            "expiresIn": IssuedTokens.expiresIn,
            "isNewUser": .bool(isNew),
        ])
    }

    /// Only development takes what nobody signed (T1).
    private func customToken(_ text: String) throws(ActionError) -> CustomToken {
        switch site.mode {
        case .production: try CustomToken(signed: text, by: project.serviceAccounts, at: site.accounts.now())
        case .development: try CustomToken(unsigned: text)
        }
    }
}
