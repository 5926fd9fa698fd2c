internal import Accounts
internal import Base
internal import Network

/// The issuer of a provider's ID tokens, as the provider publishes it: its name in the tokens, and
/// the keys that sign them. Source: OpenID Connect Discovery 1.0 sections 3 and 4.
struct OpenIDIssuer: Sendable {
    /// The issuer, in which Microsoft has `{tenantid}` for the directory.
    let name: String
    let keys: ProviderKeys
    let fetchedAt: Timestamp
    /// The time for which the provider lets its keys be cached, within bounds.
    let lifetime: Duration
    /// The page at which users sign in.
    var authorizationEndpoint: WebURL?
    var tokenEndpoint: WebURL?
    /// Whether the provider takes a client secret in the body; if not, as a password (HTTP Basic).
    var takesPostedSecret = false

    /// Shorter lifetimes would make one request of each sign-in, longer ones would keep a key that
    /// the provider withdrew.
    static let lifetimes = Duration.seconds(300)...Duration.seconds(86_400)

    /// Fetches the documents.
    static func fetch(_ server: ProviderServer, by clients: ProviderClients, at now: Timestamp) async throws(ProviderError) -> OpenIDIssuer
    {
        let url = server.url
        func get(_ address: String) async throws(ProviderError) -> TransferResponse {
            let response = try await clients.send(
                TransferRequest(url: address, fields: ["Accept: application/json"], body: nil), to: server)
            guard response.status == 200 else { throw .unavailable(cause: "\(url): a document has status \(response.status)") }
            return response
        }
        let discovery = try await get(url + "/.well-known/openid-configuration")
        let document = try? JSON(discovery.body)
        guard let name = document?["issuer"]?.string, let keysURL = document?["jwks_uri"]?.string.flatMap({ try? WebURL($0) }) else {
            throw .unavailable(cause: "\(url): the discovery document cannot be read")
        }
        guard isName(name, of: url) else {
            throw .unavailable(cause: "\(url): the discovery document is of another issuer")
        }
        guard isSecure(keysURL, for: url) else {
            throw .unavailable(cause: "\(url): its keys are not at an https URL")
        }
        let response = try await get(keysURL.serialized)
        guard let keys = ProviderKeys(jwks: response.body) else { throw .unavailable(cause: "\(url): the keys cannot be read") }
        func endpoint(_ name: String) -> WebURL? {
            document?[name]?.string.flatMap { try? WebURL($0) }.flatMap { isSecure($0, for: url) && $0.fragment == nil ? $0 : nil }
        }
        return OpenIDIssuer(
            name: name, keys: keys, fetchedAt: now, lifetime: lifetime(response["cache-control"]),
            authorizationEndpoint: endpoint("authorization_endpoint"), tokenEndpoint: endpoint("token_endpoint"),
            takesPostedSecret: document?["token_endpoint_auth_methods_supported"]?.items?.contains("client_secret_post") == true)
    }

    private static func isSecure(_ address: WebURL, for url: String) -> Bool {
        address.scheme == "https" || address.host?.isLoopback == true && url.hasPrefix("http://")
    }

    /// Whether a document at `url` may be of the issuer that it names. Some issuers, such as
    /// Auth0's, end with a slash, which settings do not have. Microsoft's document for all
    /// directories has `{tenantid}` in place of theirs.
    private static func isName(_ name: String, of url: String) -> Bool {
        guard let gap = name.firstRange(of: "{tenantid}") else { return name.isSame(as: url) || name.isSame(as: url + "/") }
        return url.hasPrefix(name[..<gap.lowerBound]) && url.hasSuffix(name[gap.upperBound...])
    }

    /// The `max-age` of `Cache-Control`, within the bounds. Source: RFC 9111 section 5.2.
    static func lifetime(_ cacheControl: String?) -> Duration {
        let directives = (cacheControl ?? "").split(separator: ",").map { $0.lowercased().filter { $0 != " " } }
        let maxAge = directives.lazy.compactMap { $0.hasPrefix("max-age=") ? Int64($0.dropFirst(8)) : nil }.first ?? 0
        return min(max(.seconds(min(maxAge, 1 << 32)), lifetimes.lowerBound), lifetimes.upperBound)
    }
}
