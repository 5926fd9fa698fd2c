import Base
import HTTPServer
import HTTPTypes
import Testing
import World
@testable import Web

/// V3, V4: what is decided about a request before its body is read.
@Suite struct `A request with a body` {
    private static let key = "?key=\(API.key)"
    private static let unknown = "?key=another"

    private func decision(
        _ api: API, _ method: HTTPRequest.Method, _ path: String, _ length: Int?, _ fields: HTTPFields = [:], host: String = "auth.example"
    ) async throws -> (limit: Int?, response: HTTPResponse?, json: JSON?) {
        let head = HTTPRequest(method: method, scheme: "https", authority: host, path: path, headerFields: fields)
        switch await api.site.accept(head, bodyLength: length, from: "192.0.2.1", through: .front) {
        case .body(let maxBytes, _): return (maxBytes, nil, nil)
        case .response(let response, let body): return (nil, response, try? JSON(body))
        }
    }

    private static let admin: HTTPFields = [.authorization: "Bearer admin-key"]

    @Test(
        arguments: [
            ("/__/auth/action", 10, [:], 64 << 10), ("/v1/accounts:signUp" + key, 64 << 10, [:], 64 << 10),
            ("/v1/accounts:lookup" + key, nil, [:], 64 << 10), ("/v1/accounts:lookup" + key, 1 << 20, admin, 1 << 20),
            ("/v1/projects/shop/accounts:batchCreate", 16 << 20, admin, 16 << 20),
            ("/v1/projects/shop/mail-feedback/sendgrid", 1 << 20, [:], 1 << 20), ("/v1/token" + key, 64 << 10, [:], 64 << 10),
        ] as [(String, Int?, HTTPFields, Int)])
    func `is read up to the limit of its route and its caller`(path: String, length: Int?, fields: HTTPFields, limit: Int) async throws {
        #expect(try await decision(try API([.production]), .post, path, length, fields).limit == limit)
    }

    @Test(
        arguments: [
            (HTTPRequest.Method.post, "/unknown", 10, [:], 404), (.put, "/__/auth/action", 10, [:], 405),
            (.post, "/v1/unknown" + key, 10, [:], 404),
            (.post, "/__/auth/action", 65_537, [:], 413), (.post, "/v1/accounts:signUp", 10, [:], 403),
            (.post, "/v1/accounts:signUp" + unknown, 10, [:], 400), (.post, "/v1/accounts:signUp" + key, 65_537, [:], 413),
            (.post, "/v1/accounts:lookup" + key, 65_537, [:], 413), (.post, "/v1/accounts:lookup" + key, 1 << 20 + 1, admin, 413),
            (.post, "/v1/projects/shop/accounts:batchCreate" + key, 10, [:], 400),
            (.post, "/v1/projects/shop/accounts:batchCreate", 10, [.authorization: "Bearer another"], 401),
            (.post, "/identitytoolkit/v3/relyingparty/uploadAccount" + key, 10, [:], 400),
            (.patch, "/v2/projects/shop/config", 10, [:], 403), (.delete, "/v1/accounts:signUp" + key, 10, [:], 405),
            (.post, "/v1/accounts:signInWithGameCenter" + key, 10, [:], 400),
            (.post, "/v1/accounts:signUp" + key, nil, [.contentEncoding: "gzip"], 415),
        ] as [(HTTPRequest.Method, String, Int?, HTTPFields, Int)])
    func `is refused for its head`(method: HTTPRequest.Method, path: String, length: Int?, fields: HTTPFields, status: Int) async throws {
        let decision = try await decision(try API([.production]), method, path, length, fields)
        #expect(decision.limit == nil && decision.response?.status.code == status)
    }

    @Test func `is refused for its host`() async throws {
        let decision = try await decision(try API([.production]), .post, "/__/auth/action", 10, host: "evil.example")
        #expect(decision.response?.status == .misdirectedRequest)
    }

    /// A key costs a look into the store.
    @Test func `the admin key of a call is looked up once`() async throws {
        let api = try await API([.production])
        let answer = await api.respond(
            .post, "/v1/projects/shop/accounts:lookup", headers: Self.admin.with(.contentType, "application/json"),
            body: Array(#"{"localId":["ada"]}"#.utf8))
        #expect(answer.status == .ok && api.lookedUpBearers == ["admin-key"])
    }

    /// SDKs in browsers read errors.
    @Test func `is refused in a form that pages of other origins can read`() async throws {
        let decision = try await decision(
            try API([.production]), .post, "/v1/accounts:signUp" + Self.unknown, 10, [.origin: "https://app.example"])
        #expect(decision.response?.headerFields[.accessControlAllowOrigin] == "https://app.example")
        #expect(decision.json?["error", "message"]?.string?.hasPrefix("API key not valid") == true)
    }

    @Test(arguments: ["/v1/accounts:lookup" + unknown, "/v1/accounts:lookup", "/v1/projects/shop/accounts:lookup" + key])
    func `is not parsed before its credential was found good`(path: String) async throws {
        let api = try await API([.production])
        let answer = await api.respond(.post, path, headers: [.contentType: "application/json"], body: Array("{{{".utf8))
        let message = try JSON(answer.body)["error", "message"]?.string
        #expect(message?.contains("payload") == false, "\(message ?? "")")
    }

    @Test(arguments: [(64, nil), (65, "Invalid JSON payload received. Too many members at byte 833")])
    func `of a client has at most 64 members in one object`(count: Int, message: String?) async throws {
        let body = "{" + (100..<100 + count).map { "\"name\($0)\": 1" }.joined(separator: ",") + "}"
        let answer = await (try API([.production])).respond(
            .post, "/v1/accounts:lookup" + Self.key, headers: [.contentType: "application/json"], body: Array(body.utf8))
        let found = try JSON(answer.body)["error", "message"]?.string
        #expect(found == message ?? "MISSING_ID_TOKEN")
    }

    @Test func `of a client has at most 1,024 values, and of an admin as many as an import needs`() async throws {
        let api = try await API([.production])
        let list: JSON = .object(["localId": .array(Array(repeating: "someone", count: 1_100))])
        #expect(await api.call("accounts:lookup", list).json["error", "message"]?.string?.contains("Too many values") == true)
        let users = (0..<1_000).map { JSON.object(["localId": .string("imported-\($0)"), "email": .string("imported-\($0)@example.com")]) }
        let imported = await api.respond(
            .post, "/v1/projects/shop/accounts:batchCreate", headers: Self.admin.with(.contentType, "application/json"),
            body: JSON.object(["users": .array(users)]).bytes)
        #expect(imported.status == .ok)
        #expect(try await api.stored("imported-999") != nil)
    }
}

extension HTTPFields {
    fileprivate func with(_ name: HTTPField.Name, _ value: String) -> HTTPFields {
        var fields = self
        fields[name] = value
        return fields
    }
}
