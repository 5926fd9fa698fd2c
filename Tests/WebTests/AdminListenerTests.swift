import Accounts
import Base
import HTTPTypes
import Store
import Testing
import World
@testable import Web

@Suite struct `The admin listener` {
    enum Shown: String, CaseIterable {
        case owner = "Bearer owner", capitals = "BEARER Owner", google = "Bearer ya29.x", key = "Bearer admin-key", wrong = "Bearer x",
            none = ""
    }

    /// A call with a client's key, and a call for a project, which only admins may name.
    enum Asked: CaseIterable { case byClients, byAdmins }

    private func ask(
        _ api: API, by method: HTTPRequest.Method = .post, _ path: String, through listener: ListenerRole = .admin,
        host: String = "127.0.0.1:9099",
        _ fields: HTTPFields = [:], body: String = #"{"localId":["ada"]}"#
    ) async -> (status: Int, headers: HTTPFields, json: JSON) {
        var head = HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: fields)
        head.headerFields[.contentType] = "application/json"
        let (response, bytes) = await api.site.respond(to: head, Array(body.utf8), from: "192.0.2.7", through: listener)
        return (response.status.code, response.headerFields, (try? JSON(bytes)) ?? .null)
    }

    /// `Bearer owner` is an admin at one listener and nothing at the other; an admin key is valid
    /// at both.
    @Test(arguments: [ListenerRole.front, .admin], Shown.allCases)
    func `is the only one at which owner is an admin`(_ listener: ListenerRole, _ shown: Shown) async throws {
        let isAdmin = shown == .key || listener == .admin && [.owner, .capitals, .google].contains(shown)
        for asked in Asked.allCases {
            let api = try await API([.production])
            let fields: HTTPFields = shown == .none ? [:] : [.authorization: shown.rawValue]
            let host = listener == .front ? "auth.example" : "127.0.0.1:9099"
            let reply =
                switch asked {
                case .byClients: await ask(api, by: .get, "/v1/projects?key=\(API.key)", through: listener, host: host, fields)
                case .byAdmins: await ask(api, "/v1/projects/shop/accounts:lookup", through: listener, host: host, fields)
                }
            let expected = isAdmin ? 200 : shown != .none ? 401 : asked == .byClients ? 200 : 403
            #expect(reply.status == expected, "\(asked)")
            let actor = shown == .key ? "key:k7mq2xwd tests" : "owner"
            #expect(try await api.world.store.audit(after: 0, limit: 9).map(\.record.actor) == (isAdmin ? [actor] : []), "\(asked)")
        }
    }

    /// L2: a host name that resolves to this machine by DNS rebinding is not ours.
    @Test(arguments: [
        ("127.0.0.1:9099", true), ("127.0.0.1", true), ("localhost:9099", true), ("LOCALHOST", true), ("[fd12::1]:9099", true),
        ("[FD12::1]", true),
        ("auth.example", false), ("links.example", false), ("evil.example:9099", false), ("127.0.0.1.evil.example", false),
        ("localhost.", false),
        ("127.0.0.2:9099", false), ("[::1]:9099", false), ("10.0.0.1:9099", false), ("", false), ("127.0.0.1:80:80", false),
        ("2130706433", false),
    ])
    func `serves only its own addresses`(host: String, isOwn: Bool) async throws {
        let api = try await API([.production])
        let reply = await ask(
            api, "/v1/projects/shop/accounts:delete", host: host, [.authorization: "Bearer owner"], body: #"{"localId":"ada"}"#)
        #expect(reply.status == (isOwn ? 200 : 421))
        #expect((try await api.stored("ada") == nil) == isOwn)
    }

    /// P1, O8: whatever page caused the request, and whatever a preflight allowed.
    @Test(arguments: [
        (HTTPRequest.Method.post, [HTTPField.Name.origin: "https://evil.example"]), (.post, [.origin: "null"]),
        (.post, [.origin: "http://127.0.0.1:9099"]),
        (.post, [.secFetchSite: "cross-site"]), (.post, [.secFetchSite: "same-origin"]), (.post, [.secFetchSite: "same-site"]),
        (.post, [.secFetchSite: "none, cross-site"]), (.post, [.secFetchSite: ""]),
        (.options, [.origin: "https://evil.example", .accessControlRequestMethod: "POST", .accessControlRequestHeaders: "authorization"]),
        (.options, [:]),
    ])
    func `is closed to browsers`(_ method: HTTPRequest.Method, _ fields: [HTTPField.Name: String]) async throws {
        let api = try await API([.production])
        var headers: HTTPFields = [.authorization: "Bearer owner"]
        for (name, value) in fields { headers[name] = value }
        let reply = await ask(api, by: method, "/v1/projects/shop/accounts:delete", headers, body: #"{"localId":"ada"}"#)
        #expect(reply.status == 403 && reply.json["error", "status"]?.string == "PERMISSION_DENIED")
        #expect(try await api.stored("ada") != nil)
        #expect(try await api.world.store.audit(after: 0, limit: 9).isEmpty)
    }

    /// L3: a proxy that forwards here by mistake, with the listener's address as `Host`, makes no
    /// client an admin.
    @Test(arguments: [
        "Via", "Forwarded", "X-Forwarded-For", "x-forwarded-host", "X-Forwarded-Proto", "X-Forwarded-Server", "X-Real-IP",
        "CF-Connecting-IP", "true-client-ip",
    ])
    func `is closed to proxies`(_ name: String) async throws {
        let api = try await API([.production])
        let fields: HTTPFields = [.authorization: "Bearer owner", try #require(HTTPField.Name(name)): ""]
        let reply = await ask(api, "/v1/projects/shop/accounts:delete", fields, body: #"{"localId":"ada"}"#)
        #expect(reply.status == 403 && reply.json["error", "status"]?.string == "PERMISSION_DENIED")
        #expect(try await api.stored("ada") != nil)
        #expect(try await api.world.store.audit(after: 0, limit: 9).isEmpty)
    }

    /// O8: the admin listener shares nothing with any origin.
    @Test(arguments: ["/v1/projects/shop/accounts:lookup", "/v1/nothing", "/", "/v1/projects"])
    func `shares nothing with any origin`(_ path: String) async throws {
        for fields: HTTPFields in [[:], [.origin: "https://evil.example"], [.secFetchSite: "none"]] {
            let headers = await ask(try await API([.production]), path, fields).headers
            #expect(!headers.contains { $0.name.canonicalName.hasPrefix("access-control-") })
        }
    }

    @Test(arguments: [
        "/", "/__/auth/action?mode=verifyEmail", "/__/auth/done", "/__/auth/links", "/healthz", "/readyz", "/robots.txt", "/favicon.ico",
        "/inbox",
        "/.well-known/assetlinks.json", "/emulator/v1/projects/shop/config",
    ])
    func `serves only the API`(_ path: String) async throws {
        let reply = await ask(try await API([.production]), by: .get, path, [.authorization: "Bearer owner"])
        #expect(reply.status == 404 && reply.json["error", "status"]?.string == "NOT_FOUND")
    }

    @Test func `does not exist where it is not configured, as in development`() async throws {
        #expect(await ask(try await API(), "/v1/projects/shop/accounts:lookup", [.authorization: "Bearer owner"]).status == 421)
    }
}
