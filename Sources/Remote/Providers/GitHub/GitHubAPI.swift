internal import Accounts
internal import Base
private import Foundation
internal import Network

/// Asks GitHub whose access token this is, and for which app it was made. Source: GitHub REST API,
/// `Check a token`, `Get the authenticated user` and `List email addresses`.
struct GitHubAPI {
    let provider: IdentityProvider
    let secret: String
    let clients: ProviderClients

    func identity(of token: AccessToken) async throws(ProviderError) -> VerifiedIdentity {
        let id = try await user(of: token)
        let bearer = "Authorization: Bearer \(token.text)"
        guard case (200, let profile) = try await send("user", [bearer]), Self.id(of: profile) == id else {
            throw .refused(.refusedByProvider)
        }
        let (email, isVerified) = try await address(bearer)
        let identity = VerifiedIdentity(
            provider: provider.id, rawID: id, email: email, isEmailVerified: isVerified && provider.verifiesEmail == true,
            profile: .init(
                fullName: profile["name"]?.string ?? profile["login"]?.string, screenName: profile["login"]?.string,
                photoURL: profile["avatar_url"]?.string),
            rawUserInfo: profile.text)
        guard let identity else { throw .unavailable(cause: "\(provider.url): the user has no id") }
        return identity
    }

    /// The id of the user whose token this is, if the project's app got it.
    private func user(of token: AccessToken) async throws(ProviderError) -> String {
        let app = provider.clientIDs.first ?? ""
        let credentials = Data("\(app):\(secret)".utf8).base64EncodedString()
        let body = JSON.object(["access_token": .string(token.text)])
        let (status, answer) = try await send("applications/\(app)/token", ["Authorization: Basic \(credentials)"], body)
        switch status {
        case 200: break
        case 404, 422: throw .refused(.wrongAudience)
        default: throw .unavailable(cause: "\(provider.url): the check of a token has status \(status); is the client secret right?")
        }
        guard let id = answer["user"].flatMap(Self.id) else { throw .unavailable(cause: "\(provider.url): the token has no user") }
        return id
    }

    /// The primary address; none if the user did not let the app read it.
    private func address(_ bearer: String) async throws(ProviderError) -> (EmailAddress?, isVerified: Bool) {
        guard case (200, let list) = try await send("user/emails", [bearer]),
            let primary = list.items?.first(where: { $0["primary"] == .bool(true) })
        else { return (nil, false) }
        return (primary["email"]?.string.flatMap { EmailAddress($0) }, primary["verified"] == .bool(true))
    }

    private func send(_ path: String, _ fields: [String], _ body: JSON? = nil) async throws(ProviderError) -> (status: Int, JSON) {
        let fields = ["Accept: application/vnd.github+json"] + fields + (body == nil ? [] : ["Content-Type: application/json"])
        let request = TransferRequest(url: "\(provider.url)/\(path)", fields: fields, body: body?.bytes)
        let response = try await clients.send(request, to: provider.server)
        guard let json = try? JSON(response.body) else { throw .unavailable(cause: "\(provider.url): the response is not JSON") }
        return (response.status, json)
    }

    private static func id(of user: JSON) -> String? { if case .number(let id)? = user["id"] { id } else { nil } }
}
