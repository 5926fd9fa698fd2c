internal import Accounts
internal import Base

extension APIMethod {
    static let token = APIMethod(
        "token", source: .jsonOrForm,
        documentation: MethodDocumentation(
            summary: "Returns a new ID token for a refresh token. Takes a form or JSON.",
            fields: [Property("grant_type", .choice(["refresh_token"])), Property("refresh_token", .text)],
            response: [
                .always("access_token", .text, "The ID token."), .always("expires_in", .int64, "Seconds."),
                .always("token_type", .choice(["Bearer"])), .always("refresh_token", .text), .always("id_token", .text),
                .always("user_id", .text), .always("project_id", .text),
            ],
            refusals: [
                .missingGrantType, .invalidGrantType, .missingRefreshToken, .invalidRefreshToken, .tokenExpired, .userDisabled,
                .userNotFound,
            ]),
        run: { (call) throws(ActionError) in try await call.token() })
}

extension Call {
    /// `token` of the Secure Token API: a new ID token for a session. The JavaScript SDK sends a
    /// form, Apple's SDK JSON; all read snake_case.
    func token() async throws(ActionError) -> JSON {
        guard let grantType = try body.text("grantType") else { throw .refused(.missingGrantType) }
        guard grantType == "refresh_token" else { throw .refused(.invalidGrantType) }
        guard let refreshToken = try body.text("refreshToken") else { throw .refused(.missingRefreshToken) }
        let tokens = try await accounts.refresh(refreshToken, from: client, in: project)
        return .object([
            "access_token": .string(tokens.idToken),
            "expires_in": IssuedTokens.expiresIn,
            "token_type": "Bearer",
            "refresh_token": .string(tokens.refreshToken),
            "id_token": .string(tokens.idToken),
            "user_id": .string(tokens.account.id.rawValue),
            "project_id": .string(projectName),
        ])
    }
}
