import Foundation
import Testing

/// Onward's REST API, as an app would call it.
struct API: Sendable {
    let origin: String

    struct Account: Sendable {
        let id: String
        let email: String
        let idToken: String
    }

    struct Mail: Sendable {
        let id: String
        let kind: String
        let link: String?
        let text: String
        let number: String?

        /// The code in the link, which may be wrapped in other URLs.
        var code: String {
            get throws {
                let link = try #require(link?.removingPercentEncoding)
                return String(try #require(link.firstMatch(of: #/oobCode=([\w-]{43})/#)).1)
            }
        }
    }

    /// Calls `accounts:<method>` and returns the reply, whatever its status.
    func call(_ method: String, _ body: JSON, asAdmin: Bool = false) async throws -> HTTP.Reply {
        let address = "\(origin)/identitytoolkit.googleapis.com/v1/accounts:\(method)?key=demo-api-key"
        return try await HTTP.send("POST", address, json: body, headers: asAdmin ? ["Authorization": "Bearer owner"] : [:])
    }

    /// Calls a method that must succeed.
    @discardableResult func get(_ method: String, _ body: JSON, asAdmin: Bool = false) async throws -> JSON {
        let reply = try await call(method, body, asAdmin: asAdmin)
        guard reply.status == 200 else { throw Browser.Objection(description: "\(method): \(reply.status) \(reply.body)") }
        return try reply.json
    }

    /// Signs up a new account with a unique address.
    func signUp(password: String = "correct horse 7", name: String = "user") async throws -> Account {
        let email = "\(name)-\(UUID().uuidString.prefix(8).lowercased())@example.com"
        let answer = try await get("signUp", ["email": .text(email), "password": .text(password), "returnSecureToken": true])
        return Account(
            id: try #require(answer["localId"].text), email: email, idToken: try #require(answer["idToken"].text))
    }

    /// Signs up an account whose address an admin verifies, so that it gets undo links.
    func signUpVerified() async throws -> Account {
        let account = try await signUp()
        try await verify(account)
        return account
    }

    /// Verifies the address of an account, as an admin.
    func verify(_ account: Account) async throws {
        try await get("update", ["localId": .text(account.id), "emailVerified": true], asAdmin: true)
    }

    func canSignIn(_ email: String, _ password: String) async throws -> Bool {
        try await call("signInWithPassword", ["email": .text(email), "password": .text(password)]).status == 200
    }

    /// The account as admins see it.
    func account(_ id: String) async throws -> JSON {
        try #require(try await get("lookup", ["localId": [.text(id)]], asAdmin: true)["users"].list.first)
    }

    /// Merges an account into another, as an admin.
    func merge(_ from: JSON, into: JSON) async throws {
        let address = "\(origin)/identitytoolkit.googleapis.com/v1/projects/demo-project/accounts:merge"
        let reply = try await HTTP.send(
            "POST", address, json: ["localId": into, "fromLocalId": from], headers: ["Authorization": "Bearer owner"])
        guard reply.status == 200 else { throw Browser.Objection(description: "merge: \(reply.status) \(reply.body)") }
    }

    /// Whether a code can still be used; the call does not spend it.
    func isAlive(_ code: String) async throws -> Bool {
        try await call("resetPassword", ["oobCode": .text(code)]).status == 200
    }

    /// A link that is returned to an admin instead of being mailed.
    func link(_ type: String, to email: String, goingOnTo goal: String? = nil) async throws -> String {
        let body: JSON = ["requestType": .text(type), "email": .text(email), "returnOobLink": true]
        let answer = try await get("sendOobCode", body + (goal.map { ["continueUrl": .text($0)] } ?? [:]), asAdmin: true)
        return try #require(answer["oobLink"].text)
    }

    /// The newest mail of a kind to an address, from the inbox.
    func mail(_ kind: String, to email: String) async throws -> Mail {
        let messages = try await HTTP.send("GET", origin + "/inbox/messages.json").json["messages"].list
        let found = messages.first { $0["to"].text == email && $0["kind"].text == kind }
        let mail = try #require(found, "no \(kind) to \(email) in \(messages.map { "\($0["kind"].text ?? "") to \($0["to"].text ?? "")" })")
        return Mail(
            id: try #require(mail["id"].text), kind: kind, link: mail["link"].text, text: mail["text"].text ?? "",
            number: mail["confirmationNumber"].text)
    }
}
