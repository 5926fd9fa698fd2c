internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `token` of the Secure Token API: a new ID token for a session. JavaScript sends a form, Apple's SDK JSON; all read snake_case.
    func token() async throws(ActionError) -> JSON {
        guard let grantType = try body.text("grantType") else { throw .refused(.missingGrantType) }
        guard grantType == "refresh_token" else { throw .refused(.invalidGrantType) }
        guard let refreshToken = try body.text("refreshToken") else { throw .refused(.missingRefreshToken) }
        try admit(.refresh)
        let tokens = try await site.accounts.refresh(refreshToken, in: project.id)
        return .object([
            "access_token": .string(tokens.idToken),
            "expires_in": IssuedTokens.expiresIn,
            "token_type": "Bearer",
            "refresh_token": .string(tokens.refreshToken),
            "id_token": .string(tokens.idToken),
            "user_id": .string(tokens.account.id.rawValue),
            "project_id": .string(tokens.account.project.rawValue),
        ])
    }
}
