import Accounts
import AppLinks
import Base
import HTTPTypes
import Testing
import World
@testable import Web

/// An empty ID token is none, as in Firebase, whose fields are empty by default.
@Suite struct `A call with an empty ID token` {
    struct Method: Sendable, CustomTestStringConvertible {
        let path: String
        let body: String
        let testDescription: String

        init(_ path: String, _ body: String) { (self.path, self.body, testDescription) = (path, body, "\(path) \(body)") }

        func body(withEmptyToken: Bool) -> [UInt8] {
            Array((withEmptyToken ? body.dropLast() + (body == "{}" ? "" : ",") + #""idToken": ""}"# : body).utf8)
        }
    }

    /// The accounts after a call, without random values.
    private func state(_ api: API) async throws -> [String] {
        let ids = ["ada", "linus"].map { Accounts.Identifier.id(AccountID(rawValue: $0)) }
        return try await api.site.identityToolkit.accounts.profiles(ids, in: api.world.project.id).map { profile in
            let account = profile.account
            let facts: [Any] = [
                account.id, account.email?.value ?? "", account.emailVerified, account.namedByAdminAt != nil, account.passwordHash != nil,
                account.validSince > account.createdAt, account.customAttributes ?? "", account.disabled,
            ]
            return "\(facts)"
        }
    }

    @Test(arguments: [
        Method("accounts", #"{"localId": "linus", "email": "linus@example.com", "displayName": "Linus"}"#),
        Method("accounts:update", #"{"localId": "ada", "email": "new@example.com", "emailVerified": true}"#),
        Method("accounts:update", #"{"localId": "ada", "displayName": "Countess", "customAttributes": "{\"a\":1}"}"#),
        Method("accounts:update", #"{"localId": "ada", "deleteProvider": ["password"]}"#),
        Method("accounts:update", #"{"localId": "ada", "disableUser": true}"#),
        Method("accounts:lookup", #"{"localId": ["ada"]}"#), Method("accounts:delete", #"{"localId": "ada"}"#),
        Method("accounts:sendOobCode", #"{"requestType": "VERIFY_EMAIL", "email": "ada@example.com"}"#),
        Method(
            "accounts:sendOobCode", #"{"requestType": "VERIFY_AND_CHANGE_EMAIL", "email": "ada@example.com", "newEmail": "n@example.com"}"#),
    ])
    func `and an admin key acts as the admin`(_ method: Method) async throws {
        var results: [[String]] = []
        for withEmptyToken in [false, true] {
            let api = try await API([.production])
            let headers: HTTPFields = [.authorization: "Bearer admin-key", .contentType: "application/json"]
            let reply = await api.respond(
                .post, "/v1/projects/shop/\(method.path)", headers: headers, body: method.body(withEmptyToken: withEmptyToken))
            #expect(reply.status == .ok, "\(String(decoding: reply.body, as: UTF8.self))")
            results.append(try await state(api) + ["\(try await api.world.mails().map { "\($0.kind) \($0.to)" })"])
        }
        #expect(results[0] == results[1])
    }

    /// A back end may pass the calls of its users on with its own key.
    @Test func `of a user has the user's rules, even if an admin key came with it`() async throws {
        var results: [[String]] = []
        for hasKey in [false, true] {
            let api = try await API([.production])
            var proof = AccountChange()
            proof.emailVerified = true
            let ada = try #require(try await api.world.stored(AccountID(rawValue: "ada")))
            _ = try await api.world.accounts.update(ada, with: proof, byAdmin: true, in: api.world.project)
            let token = try await api.filledIn("{idToken ada}")
            let path = hasKey ? "/v1/projects/shop/accounts:update" : "/v1/accounts:update?key=\(API.key)"
            var headers: HTTPFields = [.contentType: "application/json"]
            if hasKey { headers[.authorization] = "Bearer admin-key" }
            let reply = await api.respond(
                .post, path, headers: headers, body: Array(#"{"idToken": "\#(token)", "email": "new@example.com"}"#.utf8))
            #expect(reply.status == .ok, "\(String(decoding: reply.body, as: UTF8.self))")
            results.append(try await state(api) + ["\(try await api.world.mails().map { "\($0.kind) \($0.to)" })"])
        }
        #expect(results[0] == results[1])
        #expect(results[1].last?.contains("recoverEmail") == true, "no undo link was mailed: \(results)")
    }

    /// No user is signed in, so the call has no account to act on.
    @Test(arguments: [
        Method("accounts:signUp", #"{"email": "linus@example.com", "password": "correct horse battery"}"#),
        Method("accounts:update", #"{"displayName": "A"}"#), Method("accounts:delete", "{}"),
        Method("accounts:lookup", "{}"), Method("accounts:sendOobCode", #"{"requestType": "VERIFY_EMAIL"}"#),
        Method("accounts:signInWithPassword", #"{"email": "ada@example.com", "password": "correct horse battery"}"#),
        Method("accounts:signInWithEmailLink", #"{"email": "ada@example.com", "oobCode": "none"}"#),
        Method(
            "accounts:signInWithIdp",
            #"{"requestUri": "http://localhost", "postBody": "providerId=google.com&id_token={%22sub%22:%221%22}"}"#),
    ])
    func `of a client acts as one without a signed-in user`(_ method: Method) async throws {
        var results: [String] = []
        for withEmptyToken in [false, true] {
            let api = try await API()
            let headers: HTTPFields = [.contentType: "application/json"]
            let reply = await api.respond(
                .post, "/v1/\(method.path)?key=\(API.key)", headers: headers, body: method.body(withEmptyToken: withEmptyToken))
            let json = try JSON(reply.body)
            results.append("\(reply.status.code) \(json["error", "message"]?.string ?? "") \(json["idToken"] != nil)")
        }
        #expect(results[0] == results[1])
    }
}
