import Accounts
import Base
import Foundation
import HTTPTypes
import Store
import Testing
import Vectors
import World
@testable import Web

@Suite(.enabled(if: Vectors.arePresent, "\(Vectors.absence)")) struct `Hostile input to the API` {
    /// C15: a text that is not a code, token, address or key gets the documented error, and never a
    /// 5xx.
    @Test(arguments: [
        ("signUp", ["email", "password", "idToken", "localId"]), ("signInWithPassword", ["email", "password"]),
        ("sendOobCode", ["requestType", "email", "continueUrl", "idToken"]), ("resetPassword", ["oobCode", "newPassword"]),
        ("update", ["oobCode", "idToken", "localId", "customAttributes"]), ("lookup", ["idToken", "localId"]), ("delete", ["idToken"]),
        ("signInWithEmailLink", ["email", "oobCode"]), ("createAuthUri", ["identifier", "continueUri"]),
    ])
    func `hostile input to the API is refused in every field`(_ method: String, _ fields: [String]) async throws {
        let api = try await API()
        for text in try Self.naughtyStrings() + ["\0", "a\0b", String(repeating: "A", count: 60_000)] {
            for field in fields {
                let answer = await api.call("accounts:\(method)", .object([.init(name: field, value: .string(text))]))
                #expect(answer.status == 400, "\(method) \(field) \(text.debugDescription.prefix(100))")
                if field == "oobCode", method == "resetPassword", !text.contains("\0") {
                    #expect(answer.json.errorCode == (text.isEmpty ? "MISSING_OOB_CODE" : "INVALID_OOB_CODE"))
                }
            }
        }
    }

    @Test func `hostile input to the API in a name comes back unchanged`() async throws {
        let api = try await API()
        let idToken = JSON.string(try await api.tokens(of: "ada").idToken)
        for text in try Self.naughtyStrings() where !text.isEmpty {
            let answer = await api.call("accounts:update", .object(["idToken": idToken, "displayName": .string(text)]))
            #expect(answer.json["displayName"] == .string(text))
        }
    }

    /// L1: all 754 fields and values; the link's base is from the configuration only.
    @Test func `hostile input to the API in headers never gets into a link`() async throws {
        struct Poison: Decodable { let fields, values: [String] }
        let poison = try JSONDecoder().decode(Poison.self, from: Vectors.bytes("inject/host-poisoning.json"))
        #expect(poison.fields.count * poison.values.count == 754)
        let api = try await API()
        let body = JSON.object(["requestType": "EMAIL_SIGNIN", "continueUrl": "https://app.example/", "email": "ada@example.com"]).bytes
        for name in poison.fields {
            for value in poison.values {
                var headers: HTTPFields = [.contentType: "application/json"]
                headers[try #require(HTTPField.Name(name))] = value
                let authority = name == "Host" ? value : "auth.example"
                let path = "/v1/accounts:sendOobCode?key=shop-key"
                let head = HTTPRequest(method: .post, scheme: "https", authority: authority, path: path, headerFields: headers)
                let request = Request(head: head, bodyLength: body.count, peer: "127.0.0.1", id: "test", listener: .front)
                let accepted = try await api.site.identityToolkit.accept(request, RouteTable.match(request.path))
                let response = await accepted.respond(api.site, request.reading(body))
                #expect(response.status == .ok && response.headers[.location] == nil)
            }
        }
        let mails = try await api.world.store.mails(limit: 1000)
        #expect(mails.count == 754)
        for mail in mails {
            let link = try api.world.outbox.open(mail).link
            #expect(
                link?.hasPrefix(
                    "https://auth.example/__/auth/action?lang=en&continueUrl=https%3A%2F%2Fapp.example%2F&apiKey=shop-key&mode=signIn&oobCode="
                ) == true)
        }
    }

    private static func naughtyStrings() throws -> [String] {
        guard case .array(let items) = try JSON(Array(Vectors.bytes("inject/naughty-strings.json"))) else { return [] }
        return items.compactMap(\.string)
    }
}
