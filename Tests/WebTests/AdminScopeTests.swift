import Accounts
import Base
import HTTPTypes
import Testing
import World
@testable import Web

@Suite struct `The scope of an admin key` {
    private static let methods: [(path: String, body: String, permission: AdminScope.Permission)] = [
        ("accounts:lookup", #"{"localId": ["ada"]}"#, .read), ("accounts:query", "{}", .read),
        ("accounts", #"{"localId": "new"}"#, .write), ("accounts:update", #"{"localId": "ada", "displayName": "A"}"#, .write),
        ("accounts:delete", #"{"localId": "ada"}"#, .write), ("accounts:batchCreate", #"{"users": [{"localId": "a"}]}"#, .write),
        (
            "accounts:sendOobCode",
            #"{"requestType": "EMAIL_SIGNIN", "email": "ada@example.com", "continueUrl": "https://app.example/", "canHandleCodeInApp": true, "returnOobLink": true}"#,
            .createLinks
        ),
    ]

    private func status(_ api: API, _ path: String, _ body: String, key: String) async throws -> (Int, String?) {
        let reply = await api.respond(
            .post, path, headers: [.authorization: "Bearer \(key)", .contentType: "application/json"], body: Array(body.utf8))
        return (reply.status.code, try JSON(reply.body)["error", "message"]?.string)
    }

    @Test(arguments: AdminScope.Permission.allCases) func `is what its calls may do`(permission: AdminScope.Permission) async throws {
        for method in Self.methods {
            let api = try await API([.production])
            let (status, message) = try await status(
                api, "/v1/projects/shop/\(method.path)", method.body, key: "admin-key \(permission.rawValue)")
            if method.permission == permission {
                #expect(status == 200, "\(method.path): \(message ?? "")")
            } else {
                #expect(status == 400 && message?.contains(method.permission.rawValue) == true, "\(method.path): \(message ?? "")")
            }
        }
    }

    @Test func `is refused before the body is read`() async throws {
        let api = try await API([.production])
        let answer = try await status(api, "/v1/projects/shop/accounts:batchCreate", "{{{", key: "admin-key read")
        #expect(answer.0 == 400 && answer.1?.hasPrefix("INSUFFICIENT_PERMISSION") == true)
    }

    /// In the path, in the body, and by an API key.
    @Test(
        arguments: [
            ("/v1/projects/shop/accounts:lookup", #"{"localId": ["ada"]}"#),
            ("/v1/accounts:lookup", #"{"localId": ["ada"], "targetProjectId": "shop"}"#),
            ("/v1/accounts:lookup?key=\(API.key)", #"{"localId": ["ada"]}"#),
        ])
    func `is one project, however the call names it`(path: String, body: String) async throws {
        let api = try await API([.production])
        #expect(try await status(api, path, body, key: "admin-key read:shop").0 == 200)
        let other = try await status(api, path, body, key: "admin-key read:other")
        #expect(other.0 == 400 && other.1?.contains("another project") == true)
    }

    @Test(arguments: [("admin-key", 200), ("admin-key read", 200), ("admin-key write", 400), ("admin-key read:shop", 400)])
    func `includes metrics if it reads every project`(key: String, status: Int) async throws {
        let head = HTTPRequest(
            method: .get, scheme: "https", authority: "auth.example", path: "/metrics", headerFields: [.authorization: "Bearer \(key)"])
        let (response, _) = try await API([.production]).site.respond(to: head, [], from: "192.0.2.1", through: .front)
        #expect(response.status.code == status)
    }

    @Test(arguments: [("admin-key", false), ("admin-key read", false), ("admin-key read password-hashes", true)])
    func `shows password hashes only if it names them`(key: String, shows: Bool) async throws {
        let api = try await API([.production])
        for path in ["accounts:lookup", "accounts:query"] {
            let reply = await api.respond(
                .post, "/v1/projects/shop/\(path)",
                headers: [.authorization: "Bearer \(key)", .contentType: "application/json"],
                body: Array(#"{"localId": ["ada"], "expression": [{"userId": "ada"}]}"#.utf8))
            let answer = try JSON(reply.body)
            let users = try #require((answer["users"] ?? answer["userInfo"])?.items)
            #expect(users.count == 1)
            for user in users {
                let hash = try #require(user["passwordHash"]?.string)
                #expect((hash != "UkVEQUNURUQ=") == shows && (user["salt"] != nil) == shows)
            }
        }
    }
}
