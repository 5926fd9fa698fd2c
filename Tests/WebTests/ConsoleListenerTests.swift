import Accounts
import Base
import HTTPTypes
import Store
import Testing
import World

@testable import Web

@Suite struct `The listener of the console` {
    private static let json: HTTPFields = [.authorization: "Bearer admin-key", .contentType: "application/json"]

    private func ask(
        _ api: API, _ method: HTTPRequest.Method = .get, _ path: String, _ fields: HTTPFields = json, host: String = "localhost:8081",
        through listener: ListenerRole = .console, body: String = ""
    ) async -> (status: Int, text: String, headers: HTTPFields) {
        let head = HTTPRequest(method: method, scheme: "http", authority: host, path: path, headerFields: fields)
        let (response, bytes) = await api.site.respond(to: head, Array(body.utf8), from: "192.0.2.7", through: listener)
        return (response.status.code, String(decoding: bytes, as: UTF8.self), response.headerFields)
    }

    @Test func `the console's listener serves the console and the calls that it makes, to browsers`() async throws {
        let api = try await API([.consoleListener])
        let page = await ask(api, .get, "/__/console", [:])
        #expect(page.status == 200 && page.text.contains("/__/console/console.js"))
        #expect(page.headers[.contentSecurityPolicy]?.contains("connect-src 'self'; form-action 'self'; base-uri 'none'") == true)
        #expect(await ask(api, .get, "/__/console/console.js", [:]).status == 200)
        var fields = Self.json
        fields[.origin] = "http://localhost:8081"
        fields[.secFetchSite] = "same-origin"
        #expect(await ask(api, .get, "/v1/adminKey", fields).status == 200)
        #expect(await ask(api, .get, "/v1/projects/shop/overview", fields).status == 200)
        let found = await ask(api, .post, "/v1/projects/shop/accounts:find", fields, body: #"{"text": "ada"}"#)
        #expect(found.status == 200 && found.text.contains("ada@example.com"))
        #expect(found.headers[.accessControlAllowOrigin] == nil)
        let changed = await ask(api, .post, "/v1/projects/shop/accounts:update", fields, body: #"{"localId": "ada", "disableUser": true}"#)
        #expect(changed.status == 200)
        #expect(try await api.stored("ada")?.disabled == true)
        #expect(try await api.world.store.audit(after: 0, limit: 9).map(\.record.actor).allSatisfy { $0 == "key:k7mq2xwd tests" })
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/"), (.get, "/healthz"), (.get, "/metrics"), (.get, "/openapi.json"),
        (.get, "/__/auth/action?mode=resetPassword&oobCode=x"), (.post, "/__/auth/action"), (.get, "/__/auth/handler"),
        (.post, "/v1/accounts:signUp?key=shop-key"), (.post, "/v1/accounts:lookup?key=shop-key"),
        (.post, "/v1/accounts:update?key=shop-key"),
        (.post, "/v1/projects/shop/accounts:lookup"), (.post, "/v1/projects/shop/accounts:query"),
        (.get, "/v1/projects/shop/accounts:batchGet"),
        (.post, "/v1/projects/shop/accounts:batchCreate"), (.get, "/v2/projects/shop/config"), (.patch, "/v2/projects/shop/config"),
        (.get, "/.well-known/jwks.json"), (.get, "/__/console/"), (.get, "/__/console/../console.js"), (.post, "/v1/token?key=shop-key"),
        (.options, "/v1/projects/shop/accounts:update"), (.options, "/v1/adminKey"), (.patch, "/v1/projects/shop/accounts:update"),
        (.post, "/identitytoolkit.googleapis.com/v1/accounts:update"), (.post, "/identitytoolkit/v3/relyingparty/setAccountInfo"),
        (.get, "/identitytoolkit.googleapis.com/v1/projects/shop/accounts:batchGet"),
    ])
    func `the console's listener serves nothing but the console`(_ method: HTTPRequest.Method, _ path: String) async throws {
        let reply = await ask(try await API([.consoleListener]), method, path, body: "{}")
        #expect(reply.status == 404 && reply.text == "Only the console is here: /__/console\n")
    }

    /// Only a key is an admin, as at the public listener.
    @Test(arguments: ["Bearer owner", "Bearer ya29.x", "Bearer x", ""])
    func `the console's listener admits no owner without a key`(_ shown: String) async throws {
        let api = try await API([.consoleListener])
        let fields: HTTPFields =
            shown.isEmpty ? [.contentType: "application/json"] : [.authorization: shown, .contentType: "application/json"]
        for (method, path) in [
            (HTTPRequest.Method.post, "/v1/projects/shop/accounts:delete"), (.get, "/v1/projects/shop/overview"), (.get, "/v1/adminKey"),
        ] {
            #expect([401, 403].contains(await ask(api, method, path, fields, body: #"{"localId": "ada"}"#).status), "\(path)")
        }
        #expect(try await api.stored("ada") != nil)
    }

    /// L2: a name that resolves to this machine by DNS rebinding is not ours.
    @Test(arguments: ["evil.example:8081", "auth.example", "links.example", "127.0.0.2:8081", "localhost.", ""])
    func `the console's listener answers to its own addresses only`(host: String) async throws {
        let api = try await API([.consoleListener])
        #expect(await ask(api, .get, "/__/console", [:], host: host).status == 421)
        #expect(await ask(api, .get, "/v1/adminKey", host: host).status == 421)
    }

    @Test func `a listener of the console takes it from the public origin`() async throws {
        let own = try await API([.consoleListener])
        for path in ["/__/console", "/__/console/console.js"] {
            #expect(await ask(own, .get, path, [:], host: "auth.example", through: .front).status == 404, "\(path)")
            #expect(
                await ask(try await API([.production]), .get, path, [:], host: "auth.example", through: .front).status == 200, "\(path)")
            #expect(
                await ask(try await API([.production]), .get, path, [:], host: "links.example", through: .front).status == 404, "\(path)")
            #expect(await ask(own, .get, path, host: "127.0.0.1:9099", through: .admin).status == 404, "\(path)")
        }
        // A listener that is not there serves nothing.
        #expect(await ask(try await API([.production]), .get, "/__/console").status == 421)
    }
}
