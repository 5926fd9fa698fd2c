import Base
import Foundation
import Testing
import World
@testable import Accounts

@Suite struct `An ID token` {
    private func payload(_ token: String) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test func `has the custom claims of the account, but none in place of its own`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") {
            $0.customAttributes = #"{"role":"admin","levels":[1,2.5,null],"phone_number":4912345,"email":"x@y.example","name":{}}"#
        }
        let accounts = try await world.signedAccounts()
        let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
        let session = try await accounts.openSession(for: account, by: .password)
        let claims = try payload(session.idToken)
        #expect(claims["role"] as? String == "admin")
        #expect((claims["levels"] as? [Any])?.count == 3)
        #expect(claims["email"] as? String == "ada@app.example")
        #expect(claims["phone_number"] == nil)
        #expect(claims["name"] == nil)
        #expect(try await accounts.account(behind: session.idToken, in: world.project.id).id == account.id)
    }

    /// As with Firebase, where back ends read them.
    @Test func `has a name and a picture of custom claims in place of the account's`() async throws {
        let world = try await World()
        let account = try await world.account("ada@app.example") {
            ($0.displayName, $0.photoURL) = ("Ada", "https://p.example/ada")
            $0.customAttributes = #"{"picture":"https://p.example/claim"}"#
        }
        let accounts = try await world.signedAccounts()
        let session = try await accounts.openSession(for: account, by: .custom, claims: #"{"name":"Countess"}"#)
        let claims = try payload(session.idToken)
        #expect(claims["name"] as? String == "Countess" && claims["picture"] as? String == "https://p.example/claim")
        #expect(try await accounts.account(behind: session.idToken, in: world.project.id).id == account.id)
    }

    /// T3: a token from the future is refused, and one after its hour.
    @Test func `is valid from its issue for an hour`() async throws {
        let world = try await World()
        let account = try await world.account("ada@app.example")
        let accounts = try await world.signedAccounts()
        let token = try await accounts.openSession(for: account, by: .password).idToken
        let claims = try payload(token)
        #expect(claims["auth_time"] as? Int64 == world.clock.now().seconds)
        #expect(claims["exp"] as? Int64 == world.clock.now().seconds + 3600)
        world.clock.advance(by: .seconds(3599))
        #expect(try await accounts.account(behind: token, in: world.project.id).id == account.id)
        world.clock.advance(by: .seconds(1))
        await #expect(throws: ActionError.self) { try await accounts.account(behind: token, in: world.project.id) }
    }

    /// T1: admin SDKs require this issuer.
    @Test func `a session cookie has its own issuer, and lasts as long as it was asked for`() async throws {
        let world = try await World()
        let accounts = try await world.signedAccounts()
        let token = try await accounts.openSession(for: world.account("ada@app.example"), by: .password).idToken
        let user = try await accounts.user(behind: token, in: world.project.id)
        let cookies = [try await accounts.sessionCookie(for: user), try await accounts.sessionCookie(for: user, lasting: .minutes(5))]
        for (cookie, seconds) in zip(cookies, [14 * 86_400, 300] as [Int64]) {
            let claims = try payload(cookie)
            #expect(claims["iss"] as? String == "https://session.firebase.google.com/shop")
            #expect(claims["exp"] as? Int64 == world.clock.now().seconds + seconds)
        }
    }

    /// A cookie has at most 4,096 bytes.
    @Test func `an ID token spells a slash as one byte`() async throws {
        let world = try await World()
        let token = try await world.accounts.openSession(for: world.account("ada@app.example"), by: .password).idToken
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        #expect(String(decoding: bytes, as: UTF8.self).contains("https://securetoken.google.com/shop"))
    }

    /// As in Firebase's own tokens, which back ends read.
    @Test func `an ID token names the picture and the identities of its account, and says whether that is anonymous`() async throws {
        let world = try await World()
        let (accounts, project) = (world.accounts, world.project.id)
        let ada = try await world.account("ada@app.example") {
            ($0.photoURL, $0.phoneNumber) = ("https://p.example/ada", PhoneNumber("+15555550100"))
        }
        let token = try await accounts.tokens.verify(accounts.openSession(for: ada, by: .password).idToken, for: project)
        #expect(token.picture == "https://p.example/ada" && token.providerID == nil)
        #expect(token.firebase.identities == ["email": ["ada@app.example"], "phone": ["+15555550100"]])
        let guest = try await world.account(nil, id: "guest")
        let guests = try await accounts.tokens.verify(accounts.openSession(for: guest, by: .anonymous).idToken, for: project)
        #expect(guests.providerID == "anonymous" && guests.firebase.identities.isEmpty)
    }

    /// `encode(to:)` is written by hand, because of the custom claims.
    @Test func `an encoded token has each of its claims`() throws {
        let token = try IDToken.example()
        let members = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(token)) as? [String: Any])
        #expect(Set(members.keys) == Set(IDToken.CodingKeys.allCases.map(\.rawValue) + ["role"]))
    }
}

extension IDToken {
    /// A token with every claim.
    fileprivate static func example() throws -> IDToken {
        let strings = CodingKeys.allCases.filter { ![.iat, .exp, .authTime, .validSince, .emailVerified, .firebase].contains($0) }
        var members: [String: Any] = Dictionary(uniqueKeysWithValues: strings.map { ($0.rawValue, "x") })
        for key in [CodingKeys.iat, .exp, .authTime, .validSince] { members[key.rawValue] = 1 }
        members[CodingKeys.emailVerified.rawValue] = true
        members[CodingKeys.firebase.rawValue] = ["identities": [String: [String]](), "sign_in_provider": "password"]
        var token = try JSONDecoder().decode(IDToken.self, from: JSONSerialization.data(withJSONObject: members))
        token.claims = ["role": .string("admin")]
        return token
    }
}
