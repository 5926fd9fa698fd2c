import Accounts
import Base
import Synchronization
import Testing
import World
@testable import Web

/// An API whose project has a provider on this machine, and that provider.
struct ProviderStage {
    /// The page of the app that the provider sends the user back to.
    static let page = "https://app.example/__/auth/handler"

    let api: API
    let provider: LoopbackServer

    init(
        _ variations: Set<API.Variation> = [.production], limits: (World) -> Limits? = { _ in nil },
        change: (inout Project) throws -> Void = { _ in }
    ) async throws {
        let keys = Signer.backEnd.jwk(id: "key-1")
        let own = Box()
        let server = try LoopbackServer { request in
            let url = own.base
            if !request.contains("/.well-known/openid-configuration ") { return .answer(200, #"{"keys":[\#(keys)]}"#) }
            return .answer(200, #"{"issuer":"\#(url)","jwks_uri":"\#(url)/keys","authorization_endpoint":"\#(url)/page"}"#)
        }
        own.set(server.base.origin)
        provider = server
        api = try await API(
            variations, limits: limits,
            change: { project in
                project.providers["oidc.here"] = IdentityProvider(id: "oidc.here", clientIDs: ["shop"], url: server.base.origin)
                try change(&project)
            })
    }

    func start(session: String = "session-1", page: String = page, as field: String = "continueUri") async -> (status: Int, json: JSON) {
        await api.call(
            "accounts:createAuthUri",
            .object([
                JSON.Member(name: "providerId", value: "oidc.here"), JSON.Member(name: field, value: .string(page)),
                JSON.Member(name: "sessionId", value: .string(session)),
            ]))
    }

    static func authURI(_ answer: (status: Int, json: JSON)) throws -> String {
        #expect(answer.status == 200, "\(answer.json.text)")
        return try #require(answer.json["authUri"]?.string)
    }

    /// The page with the parameters that the provider adds for a user who signed in.
    func answer(to authURI: String, subject: String = "u-1", email: String = "ada@example.com") throws -> String {
        let items = Dictionary(uniqueKeysWithValues: try WebURL(authURI).queryItems.map { ($0.name, $0.value) })
        let now = api.world.clock.now().seconds
        let url = provider.base.origin
        let claims =
            #"{"iss":"\#(url)","aud":"shop","sub":"\#(subject)","iat":\#(now),"exp":\#(now + 3600),"nonce":"\#(items["nonce"] ?? "")","email":"\#(email)"}"#
        let token = try Signer.backEnd.token(claims, header: #"{"alg":"RS256","kid":"key-1"}"#)
        return "\(items["redirect_uri"] ?? "")#state=\(items["state"] ?? "")&id_token=\(token)"
    }

    func finish(_ requestURI: String, session: String? = "session-1", _ more: [(String, JSON)] = []) async -> (status: Int, json: JSON) {
        var members: [JSON.Member] = [JSON.Member(name: "requestUri", value: .string(requestURI))]
        if let session { members.append(JSON.Member(name: "sessionId", value: .string(session))) }
        members += more.map { JSON.Member(name: $0.0, value: $0.1) }
        return await api.call("accounts:signInWithIdp", .object(members))
    }
}

/// A text that is known after its reader was made.
private final class Box: Sendable {
    private let text = Mutex("")
    var base: String { text.withLock { $0 } }
    func set(_ new: String) { text.withLock { $0 = new } }
}
