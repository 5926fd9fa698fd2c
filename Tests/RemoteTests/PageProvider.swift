import Accounts
import Base
import Cryptography
import Foundation
import Logging
import Network
import Synchronization
import World
@testable import Remote

/// An OpenID provider on this machine with a sign-in page and a token endpoint, which checks what a
/// provider has to check.
final class PageProvider: Sendable {
    /// The sign-in that a code stands for.
    private struct Grant: Sendable {
        let challenge: String
        let redirectURI: String
        let client: String
        let nonce: String
    }

    private struct State: Sendable {
        var grants: [String: Grant] = [:]
        var failure: LoopbackServer.Act?
        var tokenEndpoint: String?
        var methods = #"["client_secret_post"]"#
        var claims: [String: String] = [:]
    }

    static let secret = "acme secret/1"

    let clock = TestClock()
    let log = Reasons()
    private let state = Mutex(State())
    private let server: Mutex<LoopbackServer?>

    init() throws {
        server = Mutex(nil)
        let started = try LoopbackServer { [weak self] request in self?.act(request) ?? .cut }
        server.withLock { $0 = started }
    }

    var url: String { server.withLock { $0?.base.origin ?? "" } }
    /// The requests to the token endpoint.
    var tokenRequests: [String] { server.withLock { $0?.now.requests ?? [] }.filter { $0.hasPrefix("POST ") } }

    /// The response of the token endpoint from now on.
    func fail(_ act: LoopbackServer.Act) { state.withLock { $0.failure = act } }
    func setTokenEndpoint(_ url: String) { state.withLock { $0.tokenEndpoint = url } }
    func takesPasswords() { state.withLock { $0.methods = #"["client_secret_basic"]"# } }
    /// Claims of the ID token in place of the right ones.
    func lie(_ claims: [String: String]) { state.withLock { $0.claims = claims } }

    func settings(_ secret: String? = secret) -> IdentityProvider {
        IdentityProvider(id: "oidc.acme", clientIDs: ["shop-web"], clientSecret: secret, url: url)!
    }

    func verifier(deadline: Duration = .patience) -> ProviderVerifier {
        let logger = Logger(label: "test") { [log] _ in log.handler }
        var limits = TransferLimits()
        (limits.width, limits.total, limits.connect) = (2, deadline, deadline)
        return ProviderVerifier(
            clients: ProviderClients(limits: limits, uptime: clock.uptime, logger: logger), secrets: TestProvider.secrets, now: clock.now,
            logger: logger)
    }

    /// Plays the user who signs in on the page: what the provider sends back.
    func signIn(at page: String) throws -> ProviderAnswer {
        let items = Dictionary(uniqueKeysWithValues: try WebURL(page).queryItems.map { ($0.name, $0.value) })
        var answer = ProviderAnswer()
        answer.issuer = url
        guard items["response_type"] == "code" else {
            answer.idToken = try token(nonce: items["nonce"] ?? "")
            return answer
        }
        let code = "code-\(state.withLock { $0.grants.count })"
        let grant = Grant(
            challenge: items["code_challenge"] ?? "", redirectURI: items["redirect_uri"] ?? "", client: items["client_id"] ?? "",
            nonce: items["nonce"] ?? "")
        state.withLock { $0.grants[code] = grant }
        answer.code = code
        return answer
    }

    private func token(nonce: String) throws -> String {
        let now = clock.now().seconds
        var claims = [
            "iss": #""\#(url)""#, "aud": #""shop-web""#, "sub": #""user-1""#, "iat": "\(now)", "exp": "\(now + 3600)",
            "nonce": #""\#(nonce)""#, "email": #""ada@app.example""#,
        ]
        claims.merge(state.withLock { $0.claims }) { $1 }
        let members = claims.map { #""\#($0.key)":\#($0.value)"# }.sorted().joined(separator: ",")
        return try Signer.backEnd.token("{\(members)}", header: #"{"alg":"RS256","kid":"key-1"}"#)
    }

    private func act(_ request: String) -> LoopbackServer.Act {
        let state = state.withLock { $0 }
        if request.hasPrefix("POST /token ") { return state.failure ?? grant(request) }
        if request.contains("/.well-known/openid-configuration ") {
            return .answer(
                200,
                """
                {"issuer":"\(url)","jwks_uri":"\(url)/keys","authorization_endpoint":"\(url)/page?brand=acme",\
                "token_endpoint":"\(state.tokenEndpoint ?? url + "/token")","token_endpoint_auth_methods_supported":\(state.methods)}
                """)
        }
        return .answer(200, #"{"keys":[\#(Signer.backEnd.jwk(id: "key-1"))]}"#)
    }

    /// Source: RFC 6749 section 4.1.3, RFC 7636 section 4.6.
    private func grant(_ request: String) -> LoopbackServer.Act {
        let body = request.components(separatedBy: "\r\n\r\n").dropFirst().joined()
        let items = Dictionary(WebURL.formItems(in: body).map { ($0.name, $0.value) }) { first, _ in first }
        let basic = "Authorization: Basic \(Data("shop-web:acme%20secret%2F1".utf8).base64EncodedString())"
        guard items["client_secret"] == Self.secret || request.contains(basic) else { return .answer(401, #"{"error":"invalid_client"}"#) }
        guard let grant = state.withLock({ $0.grants.removeValue(forKey: items["code"] ?? "") }),
            grant.challenge == Base64URL.encode(HashFunction.sha256.hash(Array((items["code_verifier"] ?? "").utf8))),
            grant.redirectURI == items["redirect_uri"], grant.client == items["client_id"],
            items["grant_type"] == "authorization_code", let token = try? token(nonce: grant.nonce)
        else { return .answer(400, #"{"error":"invalid_grant"}"#) }
        return .answer(200, #"{"id_token":"\#(token)","access_token":"at-1","token_type":"Bearer"}"#)
    }
}
