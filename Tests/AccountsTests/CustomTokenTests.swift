import Base
import Cryptography
import Foundation
import Testing
import World
@testable import Accounts

@Suite struct `A custom token` {
    private func refusal(_ work: () throws(ActionError) -> Void) -> Refusal? {
        do throws(ActionError) {
            try work()
            return nil
        } catch { if case .refused(let refusal, _) = error { return refusal } else { return nil } }
    }

    private func claims(of token: String) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test func `creates an account once, and its claims are in every token of the session`() async throws {
        let world = try await World()
        let accounts = try await world.signedAccounts()
        let token = try CustomToken(unsigned: #"{"uid":"grace","claims":{"role":"guest","email":"x@y.example","tags":["a",1]}}"#)
        let first = try await accounts.signIn(by: token, in: world.project)
        #expect(first.isNew && first.tokens.account.id.rawValue == "grace")
        #expect(try await !accounts.signIn(by: token, in: world.project).isNew)

        let renewed = try await accounts.refresh(first.tokens.refreshToken, in: world.project)
        let again = try await accounts.refresh(renewed.refreshToken, in: world.project)
        for idToken in [first.tokens.idToken, renewed.idToken, again.idToken] {
            let claims = try claims(of: idToken)
            #expect(claims["role"] as? String == "guest" && (claims["tags"] as? [Any])?.count == 2 && claims["email"] == nil)
            #expect((claims["firebase"] as? [String: Any])?["sign_in_provider"] as? String == "custom")
            #expect(claims["provider_id"] == nil)
        }
        let cookie = try await accounts.sessionCookie(for: again.idToken, in: world.project.id)
        #expect(try claims(of: cookie)["role"] as? String == "guest")
    }

    @Test func `has claims that replace those of the account, in its own session only`() async throws {
        let world = try await World()
        let account = try await world.account("ada@app.example") { $0.customAttributes = #"{"role":"admin","plan":"gold"}"# }
        let accounts = try await world.signedAccounts()
        let session = try await accounts.signIn(
            by: CustomToken(unsigned: #"{"uid":"ada","claims":{"role":"guest"}}"#), in: world.project)
        let claims = try claims(of: session.tokens.idToken)
        #expect(claims["role"] as? String == "guest" && claims["plan"] as? String == "gold")
        let known = try #require(try await world.stored(account.id))
        let other = try await accounts.openSession(for: known, by: .password)
        #expect(try self.claims(of: other.idToken)["role"] as? String == "admin")
    }

    @Test(arguments: [
        (#"{"uid":""}"#, Refusal.missingIdentifier), ("{}", .missingIdentifier), (#"{"claims":{}}"#, .missingIdentifier),
        (#"{"uid":"\#(String(repeating: "é", count: 129))"}"#, .invalidCustomToken), (#"{"uid":"a\u0000b"}"#, .invalidCustomToken),
        (#"{"uid":1}"#, .invalidCustomToken), (#"{"uid":"ada","claims":[]}"#, .invalidCustomToken), ("ada", .invalidCustomToken),
        (#"{"uid":"ada","claims":{"sub":"eve"}}"#, .forbiddenClaim), (#"{"uid":"ada","claims":{"firebase":{}}}"#, .forbiddenClaim),
        (#"{"uid":"ada","claims":{"x":"\#(String(repeating: "x", count: 2048))"}}"#, .claimsTooLarge),
    ])
    func `of development is refused if it is invalid`(_ text: String, as expected: Refusal) {
        #expect(refusal { () throws(ActionError) in _ = try CustomToken(unsigned: text) } == expected)
    }

    @Test func `of development may have an id of 128 characters, or be an unsigned JWT for this API`() throws {
        _ = try CustomToken(unsigned: #"{"uid":"\#(String(repeating: "é", count: 128))"}"#)
        func jwt(_ payload: String, _ header: String = #"{"alg":"none","typ":"JWT"}"#) -> String {
            Base64URL.encode(Array(header.utf8)) + "." + Base64URL.encode(Array(payload.utf8)) + "."
        }
        let audience = "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit"
        #expect(try CustomToken(unsigned: jwt(#"{"uid":"ada","aud":"\#(audience)"}"#)).account.rawValue == "ada")
        #expect(
            refusal { () throws(ActionError) in _ = try CustomToken(unsigned: jwt(#"{"uid":"ada","aud":"x"}"#)) } == .invalidCustomToken)
        let tenant = jwt(#"{"uid":"ada","aud":"\#(audience)","tenant_id":"t"}"#)
        #expect(refusal { () throws(ActionError) in _ = try CustomToken(unsigned: tenant) } == .tenantsNotOffered)
    }

    @Test func `of an unknown service account is a credential mismatch`() async throws {
        let now = try await World().clock.now()
        let token = try Signer.backEnd.token(#"{"iss":"other@shop.example","uid":"ada"}"#)
        for accounts in [[], [try Signer.backEnd.account()]] {
            let error = refusal { () throws(ActionError) in _ = try CustomToken(signed: token, by: accounts, at: now) }
            #expect(error == .credentialMismatch)
        }
    }

    @Test func `is refused for an account that is disabled`() async throws {
        let world = try await World()
        try await world.account("eve@app.example", id: "eve") { $0.disabled = true }
        let accounts = try await world.signedAccounts()
        let token = try CustomToken(unsigned: #"{"uid":"eve"}"#)
        await #expect(throws: ActionError.self) { try await accounts.signIn(by: token, in: world.project) }
    }

    @Test func `a custom token may have claims of 2048 bytes, and a slash is one of them`() throws {
        let text = String(repeating: "/", count: 2040)
        #expect(try CustomToken(unsigned: #"{"uid":"ada","claims":{"x":"\#(text)"}}"#).claims?.utf8.count == 2048)
    }

    /// T1: a signature would be believed unread.
    @Test(arguments: [(#"{"alg":"none"}"#, "", true), (#"{"alg":"RS256"}"#, "", false), (#"{"alg":"none"}"#, "AAAA", false)])
    func `a custom token of development has no signature`(_ header: String, _ signature: String, _ isRead: Bool) {
        let payload = #"{"uid":"ada","aud":"\#(CustomToken.audience)"}"#
        let parts = [header, payload].map { Base64URL.encode(Array($0.utf8)) } + [signature]
        let token = try? CustomToken(unsigned: parts.joined(separator: "."))
        #expect((token != nil) == isRead)
    }
}

@Suite struct `A token that is not verified yet` {
    /// A member whose number cannot be parsed, so that parsing it is noticed.
    private static let trap = #""x":1e999"#

    private func refusal(of payload: String) throws -> Refusal? {
        do throws(ActionError) {
            let backEnd: ServiceAccount
            do { backEnd = try Signer.backEnd.account() } catch { return nil }
            let token: String
            do { token = try Signer.attacker.token(payload) } catch { return nil }
            _ = try CustomToken(signed: token, by: [backEnd], at: Timestamp(seconds: 0))
            return nil
        } catch { return error.refusal }
    }

    /// S5: Foundation takes a minute for a header of 12 KB that is nested 300 deep.
    @Test func `is parsed only as far as necessary`() async throws {
        let world = try await World()
        let accounts = try await world.signedAccounts()
        let token = try await accounts.openSession(for: world.account("ada@app.example"), by: .password).idToken
        let parts = try token.split(separator: ".").map { try #require(Base64URL.decode(String($0))) }
        let header = String(decoding: parts[0], as: UTF8.self).dropLast() + ",\(Self.trap)}"
        let signed = try await world.insider().token(String(decoding: parts[1], as: UTF8.self), header: String(header))
        #expect(try await accounts.account(behind: signed, in: world.project.id).id.rawValue == "ada")
    }

    @Test(arguments: [("eve@shop.example", Refusal.credentialMismatch), (Signer.email, .invalidCustomToken)])
    func `has its claims parsed only after its signature is verified`(_ issuer: String, _ expected: Refusal) throws {
        #expect(try refusal(of: #"{"iss":"\#(issuer)","uid":"ada","claims":{\#(Self.trap)}}"#) == expected)
    }

    @Test(arguments: [(31, true), (32, false), (300, false)])
    func `a token that is not verified yet has claims as deep as JSON of the API may be`(_ depth: Int, _ isAccepted: Bool) {
        let deep = String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        let token = try? CustomToken(unsigned: #"{"uid":"ada","claims":{"x":\#(deep)}}"#)
        #expect((token != nil) == isAccepted)
    }

    @Test(arguments: [(16_384, true), (16_385, false)])
    func `a token that is not verified yet is read up to 16 KiB`(_ length: Int, _ isRead: Bool) {
        let header = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))
        let token = CompactToken(header + "." + String(repeating: "A", count: length - header.utf8.count - 2) + ".")
        #expect((token != nil) == isRead)
    }
}

@Suite struct `A service account` {
    @Test(arguments: [
        "", "x", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
        // A key of 1024 bits.
        """
        -----BEGIN PUBLIC KEY-----
        MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCMnLpQQ04WQDyeYE45KUzCKO1t
        L3PrMn7yMTwiQUHQjxXmT4mzCPfOezCs4zgfXUpwrF4Zr6u8NIOkY/6WhOQtOnN+
        YsOaLO2pCdLtJ2CoWrNbTXpBGBHL2xMdSDYoDV6F/vlvQ8h2Ec7lKk6jtyqTvpA/
        dHTKZUv2eqEwfpvXHwIDAQAB
        -----END PUBLIC KEY-----
        """,
    ])
    func `needs an RSA key of 2048 bits in PEM`(_ pem: String) {
        #expect(throws: RSAPublicKey.Invalid.self) { try ServiceAccount(email: "a@b", pem: pem) }
    }

    @Test func `does not accept a private key`() throws {
        let pem = Signer.backEnd.publicKey.replacing("PUBLIC", with: "PRIVATE")
        let error = #expect(throws: RSAPublicKey.Invalid.self) { try ServiceAccount(email: "a@b", pem: pem) }
        #expect(error?.explanation == "it holds a PRIVATE KEY")
    }
}
