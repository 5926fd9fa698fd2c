internal import Accounts
internal import Base
internal import Cryptography
internal import Network

/// Asks Facebook whose access token this is, and for which app it was made. Source: Graph API,
/// `debug_token` and `Securing Graph API Requests`.
struct FacebookGraph {
    let provider: IdentityProvider
    let secret: String
    let clients: ProviderClients

    func identity(of token: AccessToken, at now: Timestamp) async throws(ProviderError) -> VerifiedIdentity {
        let (user, app) = try await user(of: token, at: now)
        let proof = HMACKey(SecretBytes(Array(secret.utf8)), .sha256).authenticate(Array(token.text.utf8)).hexadecimal
        let profile = try await get(
            "me", [("fields", "id,name,first_name,last_name,email,picture"), ("appsecret_proof", proof), ("access_token", token.text)])
        let photo = profile["picture"]?["data"]?["url"]?.string
        let email = profile["email"]?.string.flatMap { EmailAddress($0) }
        var identity = VerifiedIdentity(
            provider: provider.id, rawID: user, email: email, isEmailVerified: provider.verifiesEmail == true,
            profile: .init(
                fullName: profile["name"]?.string, firstName: profile["first_name"]?.string, lastName: profile["last_name"]?.string,
                photoURL: photo),
            rawUserInfo: profile.text)
        identity?.audience = app
        guard profile["id"]?.string == user, let identity else {
            throw .unavailable(cause: "\(provider.url): the profile is of another user")
        }
        return identity
    }

    /// The id of the user whose token this is, and the one of the project's apps that got it, in
    /// which alone the user has this id.
    private func user(of token: AccessToken, at now: Timestamp) async throws(ProviderError) -> (id: String, app: String) {
        let app = provider.clientIDs.first ?? ""
        let answer = try await get("debug_token", [("input_token", token.text), ("access_token", "\(app)|\(secret)")])
        guard let data = answer["data"], data["is_valid"] == .bool(true) else { throw .refused(.refusedByProvider) }
        guard let id = data["app_id"]?.string, provider.clientIDs.contains(id) else { throw .refused(.wrongAudience) }
        // A page or an app has tokens as well.
        guard data["type"]?.string == "USER", let user = data["user_id"]?.string else { throw .refused(.malformedClaims) }
        if case .number(let text)? = data["expires_at"], let expiry = Int64(text), expiry != 0 {
            guard now.seconds < expiry else { throw .refused(.expired) }
        }
        return (user, id)
    }

    private func get(_ path: String, _ parameters: [(String, String)]) async throws(ProviderError) -> JSON {
        let query = parameters.map { "\($0)=\(WebURL.percentEncoded($1))" }.joined(separator: "&")
        let request = TransferRequest(url: "\(provider.url)/\(path)?\(query)", fields: ["Accept: application/json"], body: nil)
        let response = try await clients.send(request, to: provider.server)
        guard let json = try? JSON(response.body) else { throw .unavailable(cause: "\(provider.url): the response is not JSON") }
        // Facebook answers 400 if the token, or the app's own id and secret, are wrong.
        guard response.status == 200 else { throw .refused(.refusedByProvider) }
        return json
    }
}
