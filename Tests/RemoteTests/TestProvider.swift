import Accounts
import Base
import Foundation
import Logging
import Synchronization
import World
@testable import Remote

/// An OpenID provider on this machine: its discovery document, its keys, and tokens of one user.
final class TestProvider: Sendable {
    /// The fault that the provider answers with.
    enum Trouble: Sendable { case none, down, cut, garbage }

    private struct State: Sendable {
        var keys: [(id: String, signer: Signer)] = [("key-1", .backEnd)]
        var trouble = Trouble.none
        var cacheControl = "public, max-age=3600"
        var issuer: String?
    }

    static let clientID = "shop-web"
    static let user = "user-1"
    static let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))

    let clock = TestClock()
    /// Why credentials were refused, as the log says.
    let log = Reasons()
    private let state: Mutex<State>
    private let server: Mutex<LoopbackServer?>

    init() throws {
        state = Mutex(State())
        server = Mutex(nil)
        let started = try LoopbackServer { [weak self] request in self?.act(request) ?? .cut }
        server.withLock { $0 = started }
    }

    /// The issuer.
    var url: String { server.withLock { $0?.base.origin ?? "" } }
    var requestCount: Int { server.withLock { $0?.now.requests.count ?? 0 } }

    func rotate(to signer: Signer, id: String) { state.withLock { $0.keys = [(id, signer)] } }
    func set(_ trouble: Trouble) { state.withLock { $0.trouble = trouble } }
    func setIssuer(_ issuer: String) { state.withLock { $0.issuer = issuer } }

    private func act(_ request: String) -> LoopbackServer.Act {
        let state = state.withLock { $0 }
        switch state.trouble {
        case .none: break
        case .down: return .answer(503, "")
        case .cut: return .cut
        case .garbage: return .answer(200, "<html>")
        }
        if request.contains("/.well-known/openid-configuration ") {
            return .answer(200, #"{"issuer":"\#(state.issuer ?? url)","jwks_uri":"\#(url)/keys"}"#)
        }
        let keys = state.keys.map { $0.signer.jwk(id: $0.id) }.joined(separator: ",")
        return .answer(200, #"{"keys":[\#(keys)]}"#, field: "Cache-Control: \(state.cacheControl)\r\n")
    }

    /// The settings of a project for this provider.
    func settings(_ id: String = "oidc.acme", _ change: (inout IdentityProvider) -> Void = { _ in }) -> IdentityProvider {
        var settings = IdentityProvider(id: id, clientIDs: [Self.clientID, "shop-ios"], url: url)!
        change(&settings)
        return settings
    }

    func verifier(acceptsUnsigned: Bool = false) -> ProviderVerifier {
        let logger = Logger(label: "test") { [log] _ in log.handler }
        return ProviderVerifier(
            clients: ProviderClients(uptime: clock.uptime, logger: logger), secrets: Self.secrets, now: clock.now,
            acceptsUnsigned: acceptsUnsigned, logger: logger)
    }

    /// A token of the user with these claims in place of the usual ones; `null` removes one.
    func token(
        _ changes: [String: String] = [:], by signer: Signer = .backEnd, header: String = #"{"alg":"RS256","kid":"key-1"}"#
    ) throws -> String {
        let now = clock.now().seconds
        var claims = [
            "iss": #""\#(url)""#, "aud": #""\#(Self.clientID)""#, "sub": #""\#(Self.user)""#, "iat": "\(now)", "exp": "\(now + 3600)",
            "email": #""ada@app.example""#, "email_verified": "true", "name": #""Ada""#,
        ]
        claims.merge(changes) { $1 }
        let members = claims.filter { $0.value != "null" }.map { #""\#($0.key)":\#($0.value)"# }.sorted()
        return try signer.token("{\(members.joined(separator: ","))}", header: header)
    }
}

extension ProviderVerifier {
    func verify(idToken: String, nonce: String? = nil, accessToken: String? = nil, _ settings: IdentityProvider) async throws(ActionError)
        -> VerifiedIdentity
    {
        var credential = ProviderCredential(provider: settings.id)
        (credential.idToken, credential.rawNonce, credential.accessToken) = (idToken, nonce, accessToken)
        return try await verify(credential, settings, in: ProjectID(rawValue: "shop"))
    }
}

/// The error of `body`; nil if it throws none.
func failure<T: Sendable>(_ body: () async throws(ActionError) -> T) async -> ActionError? {
    do throws(ActionError) {
        _ = try await body()
        return nil
    } catch { return error }
}

/// Collects the reasons in the log.
final class Reasons: Sendable {
    private let reasons = Mutex<[String]>([])

    /// The reasons since the last call.
    func take() -> [CredentialRefusal] {
        reasons.withLock { reasons in
            defer { reasons = [] }
            return reasons.compactMap(CredentialRefusal.init)
        }
    }

    var handler: some LogHandler { Handler(log: self) }

    private struct Handler: LogHandler {
        let log: Reasons
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            if let reason = event.metadata?["reason"] { log.reasons.withLock { $0.append("\(reason)") } }
        }
    }
}
