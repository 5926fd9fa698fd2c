import Accounts
import Base
import Cryptography
import Testing
import World
@testable import Remote

/// Tokens of a provider on this machine, each wrong in one respect.
@Suite struct `An ID token of a provider` {
    private static let nonceHash = HashFunction.sha256.hash(Array("raw nonce".utf8)).hexadecimal

    @Test func `proves its user`() async throws {
        let provider = try TestProvider()
        let token = try provider.token(["picture": #""https://p.example/ada""#, "given_name": #""Ada""#])
        let identity = try await provider.verifier().verify(idToken: token, provider.settings())
        #expect(identity.provider == "oidc.acme" && identity.rawID == TestProvider.user)
        #expect(identity.email == .ada && identity.profile.fullName == "Ada")
        #expect(identity.profile.photoURL == "https://p.example/ada" && identity.profile.firstName == "Ada")
        #expect(try JSON(Array(identity.rawUserInfo.utf8))["email"]?.string == "ada@app.example")
    }

    /// A false claim, and why its token is refused.
    struct Lie: Sendable, CustomTestStringConvertible {
        let claims: [String: String]
        let reason: CredentialRefusal

        init(_ name: String, _ value: String, _ reason: CredentialRefusal) { (claims, self.reason) = ([name: value], reason) }

        var testDescription: String { "\(claims)" }
    }

    static let now: Int64 = 1_800_000_000

    /// I2, I3, I4: each claim once.
    @Test(arguments: [
        Lie("iss", #""https://accounts.evil.example""#, .wrongIssuer), Lie("iss", "null", .malformedClaims),
        Lie("iss", "1", .malformedClaims),
        Lie("aud", #""another-app""#, .wrongAudience), Lie("aud", "null", .malformedClaims), Lie("aud", "[]", .wrongAudience),
        Lie("aud", #"["shop-web","another-app"]"#, .wrongAudience), Lie("aud", "[1]", .malformedClaims),
        Lie("aud", #""SHOP-WEB""#, .wrongAudience),
        Lie("exp", "\(now - 60)", .expired), Lie("exp", "null", .malformedClaims), Lie("exp", #""2000000000""#, .malformedClaims),
        Lie("exp", "-1", .malformedClaims), Lie("exp", "1e300", .malformedClaims),
        Lie("iat", "\(now + 61)", .notYetValid), Lie("iat", "null", .malformedClaims), Lie("iat", "true", .malformedClaims),
        Lie("nbf", "\(now + 61)", .notYetValid), Lie("nbf", #""soon""#, .notYetValid),
        Lie("sub", "null", .malformedClaims), Lie("sub", "17", .malformedClaims), Lie("sub", #""""#, .malformedClaims),
        Lie("nonce", #""\#(nonceHash)""#, .noNonce),
    ])
    func `is refused if one claim is wrong`(_ lie: Lie) async throws {
        let provider = try TestProvider()
        let token = try provider.token(lie.claims)
        let error = await failure { () async throws(ActionError) in
            try await provider.verifier().verify(idToken: token, provider.settings())
        }
        #expect(provider.log.take() == [lie.reason])
        #expect(error?.refusal == (lie.reason == .noNonce ? .missingOrInvalidNonce : .invalidIDPResponse))
    }

    /// I3: clocks differ by a minute at most.
    @Test(arguments: [("exp", now - 59), ("iat", now + 60), ("nbf", now + 60)])
    func `may be a minute early or late`(_ claim: String, _ moment: Int64) async throws {
        let provider = try TestProvider()
        _ = try await provider.verifier().verify(idToken: provider.token([claim: "\(moment)"]), provider.settings())
    }

    /// I2: apps of the project have several ids.
    @Test(arguments: [#""shop-ios""#, #"["shop-web"]"#, #"["shop-web","shop-ios"]"#])
    func `may be for any app of the project`(_ audience: String) async throws {
        let provider = try TestProvider()
        _ = try await provider.verifier().verify(idToken: provider.token(["aud": audience]), provider.settings())
    }

    /// I1: the key decides the algorithm; nothing in the token does.
    @Test func `is refused with another signature than its key makes`() async throws {
        let provider = try TestProvider()
        let (verifier, settings) = (provider.verifier(), provider.settings())
        let good = try provider.token()
        let parts = good.split(separator: ".").map(String.init)
        let unsigned = Base64URL.encode(Array(#"{"alg":"none","kid":"key-1"}"#.utf8))
        let payload = String(decoding: Base64URL.decode(parts[1]) ?? [], as: UTF8.self)
        let bad: [(String, CredentialRefusal)] = [
            (try provider.token(by: .attacker), .wrongSignature),
            (try provider.token(header: #"{"alg":"RS512","kid":"key-1"}"#), .wrongAlgorithm),
            (try provider.token(header: #"{"alg":"ES256","kid":"key-1"}"#), .wrongAlgorithm),
            (try provider.token(header: #"{"alg":"rs256","kid":"key-1"}"#), .wrongAlgorithm),
            (Signer.backEnd.confused(payload, header: #"{"alg":"HS256","kid":"key-1"}"#), .wrongAlgorithm),
            ([unsigned, parts[1], ""].joined(separator: "."), .wrongAlgorithm),
            ([unsigned, parts[1], parts[2]].joined(separator: "."), .wrongAlgorithm),
            ([parts[0], parts[1], ""].joined(separator: "."), .wrongSignature),
            (try provider.token(header: #"{"alg":"RS256","kid":"key-1","crit":["exp"]}"#), .malformed),
            (try provider.token(header: #"{"alg":"RS256","kid":"invented"}"#), .unknownKey),
            (
                try provider.token(by: .attacker, header: #"{"alg":"RS256","kid":"key-1","jwk":\#(Signer.attacker.jwk(id: "key-1"))}"#),
                .wrongSignature
            ),
            (try provider.token(header: #"{"kid":"key-1"}"#), .malformed), (parts[0] + "." + parts[1], .malformed),
            (good + ".", .malformed),
            (good + "=", .malformed), (" " + good, .malformed), ("", .malformed), ("{}", .malformed),
            (String(repeating: "a", count: 20_000) + "." + parts[1] + "." + parts[2], .malformed),
        ]
        for (token, reason) in bad {
            let error = await failure { () async throws(ActionError) in try await verifier.verify(idToken: token, settings) }
            #expect(error?.refusal == .invalidIDPResponse && provider.log.take() == [reason], "\(token.prefix(80))")
        }
        _ = try await verifier.verify(idToken: good, settings)
    }

    /// I1: a token without a key id is of the only key that there is.
    @Test func `needs no key id if the provider has one key`() async throws {
        let provider = try TestProvider()
        _ = try await provider.verifier().verify(idToken: provider.token(header: #"{"alg":"RS256"}"#), provider.settings())
    }

    /// I4: only who has the raw nonce can use the token.
    @Test func `is bound to its nonce`() async throws {
        let provider = try TestProvider()
        let (verifier, settings) = (provider.verifier(), provider.settings())
        let token = try provider.token(["nonce": #""\#(Self.nonceHash)""#])
        _ = try await verifier.verify(idToken: token, nonce: "raw nonce", settings)
        for (token, nonce) in [(token, "another"), (token, Self.nonceHash), (try provider.token(), "raw nonce"), (token, "")] {
            let error = await failure { () async throws(ActionError) in try await verifier.verify(idToken: token, nonce: nonce, settings) }
            #expect(error?.refusal == .missingOrInvalidNonce)
            #expect(provider.log.take() == [.wrongNonce])
        }
        // Google's SDKs put a nonce in that apps do not know.
        let google = provider.settings("google.com")
        _ = try await verifier.verify(idToken: token, google)
        let visit = try provider.token(["nonce": #""visit.\#(Self.nonceHash)""#])
        for (token, nonce) in [(token, "another"), (visit, nil), (visit, "another"), (try provider.token(["nonce": "1"]), nil)] {
            let error = await failure { () async throws(ActionError) in try await verifier.verify(idToken: token, nonce: nonce, google) }
            #expect(error?.refusal == .missingOrInvalidNonce)
        }
        _ = try await verifier.verify(idToken: visit, nonce: "raw nonce", google)
    }

    /// I4: `at_hash` binds the access token.
    @Test func `is bound to its access token`() async throws {
        let provider = try TestProvider()
        let (verifier, settings) = (provider.verifier(), provider.settings())
        let hash = Base64URL.encode(HashFunction.sha256.hash(Array("access".utf8)).prefix(16))
        let token = try provider.token(["at_hash": #""\#(hash)""#])
        _ = try await verifier.verify(idToken: token, accessToken: "access", settings)
        _ = try await verifier.verify(idToken: token, settings)
        _ = try await verifier.verify(idToken: provider.token(), accessToken: "any", settings)
        for (token, other) in [(token, "other"), (try provider.token(["at_hash": "1"]), "access")] {
            let error = await failure { () async throws(ActionError) in
                try await verifier.verify(idToken: token, accessToken: other, settings)
            }
            #expect(error?.refusal == .invalidIDPResponse && provider.log.take() == [.wrongAccessToken])
        }
    }

    /// I1: ES256 with a key of P-256. Made with Python's cryptography.
    @Test func `may be signed by ES256`() throws {
        let key = try #require(ProviderKey(jwk: try JSON(Array(Self.p256.utf8))))
        let token = try SignedToken(Self.es256)
        #expect(try token.claims(verifiedBy: key).text("sub") == "user-1")
        let changed = try SignedToken(Self.es256.replacing("KjJ9", with: "KjJ8"))
        #expect(throws: CredentialRefusal.wrongSignature) { try changed.claims(verifiedBy: key) }
    }

    private static let p256 =
        #"{"kty":"EC","crv":"P-256","kid":"ec-1","x":"ZBPjcDGKkizs-qlLohiN1Bn1hjVvp3THZs1sRQKV_uk","y":"Xc6c4FV7Co8c71xmPzYs__yRDjCUr8gru8egqSsLa9s"}"#
    private static let es256 = """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImVjLTEifQ.eyJzdWIiOiJ1c2VyLTEifQ.\
        KjJ9RIUVigaYl2gEcb6b8AXxQdJQOss2ww6OQOtwinUBHrJc4ApKLp3ElmLOPowk4Ie8CyqyFi5ZM9JgEOv7eA
        """

    /// I1: keys for another use, of another kind or too small are not among the provider's keys.
    @Test(arguments: [
        ("\"use\":\"sig\"", "\"use\":\"enc\""), ("\"alg\":\"RS256\"", "\"alg\":\"RS512\""), ("\"kty\":\"RSA\"", "\"kty\":\"oct\""),
        ("\"e\":\"AQAB\"", "\"e\":\"AQ\""), ("\"e\":\"AQAB\"", "\"e\":1"),
    ])
    func `is of no key that is for something else`(_ part: String, _ change: String) throws {
        let jwk = Signer.backEnd.jwk(id: "key-1")
        #expect(ProviderKey(jwk: try JSON(Array(jwk.utf8))) != nil && jwk.contains(part))
        #expect(ProviderKey(jwk: try JSON(Array(jwk.replacing(part, with: change).utf8))) == nil)
    }

    /// I5: whose word proves an address.
    @Test(
        arguments: [
            ("oidc.acme", nil, [:], false), ("oidc.acme", true, [:], true), ("oidc.acme", true, ["email_verified": "false"], false),
            ("oidc.acme", true, ["email_verified": "null"], false), ("oidc.acme", true, ["email": #""no address""#], false),
            ("google.com", nil, [:], false), ("google.com", nil, ["hd": #""app.example""#], true),
            ("google.com", nil, ["email": #""ada@gmail.com""#], true), ("google.com", nil, ["email": #""ada@evil-gmail.com""#], false),
            ("google.com", nil, ["email": #""ada@gmail.com""#, "email_verified": "false"], false),
            ("google.com", false, ["email": #""ada@gmail.com""#], false), ("google.com", true, [:], true),
            ("apple.com", nil, ["email_verified": #""true""#], true), ("apple.com", nil, ["email_verified": #""false""#], false),
        ] as [(String, Bool?, [String: String], Bool)])
    func `verifies the address only if the provider is its authority`(
        _ id: String, _ verifiesEmail: Bool?, _ claims: [String: String], _ expected: Bool
    ) async throws {
        let provider = try TestProvider()
        let settings = provider.settings(id) { $0.verifiesEmail = verifiesEmail }
        #expect(try await provider.verifier().verify(idToken: provider.token(claims), settings).isEmailVerified == expected)
    }

    /// I2, I5: Microsoft's issuer contains the directory, and a directory may claim any address.
    @Test func `of Microsoft is of one directory`() async throws {
        let provider = try TestProvider()
        let tenant = "11111111-2222-3333-4444-555555555555"
        provider.setIssuer("\(provider.url)/{tenantid}/v2.0")
        let settings = provider.settings("microsoft.com") { $0.url = provider.url + "/common/v2.0" }
        let verifier = provider.verifier()
        let own = [
            "iss": "\"\(provider.url)/\(tenant)/v2.0\"", "tid": "\"\(tenant)\"", "oid": #""aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee""#,
        ]
        #expect(try await verifier.verify(idToken: provider.token(own), settings).isEmailVerified == false)
        let owned = own.merging(["xms_edov": "true"]) { $1 }
        #expect(try await verifier.verify(idToken: provider.token(owned), settings).isEmailVerified)
        let others: [([String: String], CredentialRefusal)] = [
            (own.merging(["tid": "\"66666666-2222-3333-4444-555555555555\""]) { $1 }, .wrongIssuer),
            (own.merging(["tid": "1"]) { $1 }, .malformedClaims), (own.merging(["tid": "\"a/../b\""]) { $1 }, .malformedClaims),
            (own.merging(["iss": "\"\(provider.url)/{tenantid}/v2.0\""]) { $1 }, .wrongIssuer),
        ]
        for (claims, reason) in others {
            let token = try provider.token(claims)
            _ = await failure { () async throws(ActionError) in try await verifier.verify(idToken: token, settings) }
            #expect(provider.log.take() == [reason])
        }
        var closed = settings
        closed.tenants = ["66666666-2222-3333-4444-555555555555"]
        let (token, restricted) = (try provider.token(own), closed)
        _ = await failure { () async throws(ActionError) in try await verifier.verify(idToken: token, restricted) }
        #expect(provider.log.take() == [.wrongTenant])
    }

    /// I18: but for Microsoft's. The app is told from another by its audience.
    @Test(arguments: ["google.com", "apple.com", "oidc.acme"]) func `names its user by sub for each app`(_ id: String) async throws {
        let provider = try TestProvider()
        let (verifier, settings) = (provider.verifier(), provider.settings(id))
        for (audience, expected) in [
            (#""shop-web""#, "shop-web"), (#""shop-ios""#, "shop-ios"), (#"["shop-web","shop-ios"]"#, "shop-ios shop-web"),
        ] {
            let identity = try await verifier.verify(idToken: provider.token(["aud": audience]), settings)
            #expect(identity.rawID == TestProvider.user && identity.link.wireID == identity.rawID && identity.formerIDs.isEmpty)
            #expect(identity.link.audience == expected && !identity.link.isEmailVerified == !identity.isEmailVerified)
        }
    }

    @Test func `of Apple comes with a name at the first sign-in`() async throws {
        let provider = try TestProvider()
        var credential = ProviderCredential(provider: "apple.com")
        credential.idToken = try provider.token(["name": "null"])
        credential.appleUser = #"{"name":{"firstName":"Ada","lastName":"Lovelace"},"email":"evil@app.example"}"#
        let identity = try await provider.verifier().verify(credential, provider.settings("apple.com"), in: ProjectID(rawValue: "shop"))
        #expect(identity.profile.fullName == "Ada Lovelace" && identity.email == .ada)
    }

    /// I6: credentials that everyone can write are for development.
    @Test func `may be unsigned in development only`() async throws {
        let provider = try TestProvider()
        let bare = #"{"sub":"u","email":"ada@app.example","email_verified":true}"#
        let jwt = [#"{"alg":"none"}"#, bare].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".") + "."
        for text in [bare, jwt] {
            let identity = try await provider.verifier(acceptsUnsigned: true).verify(idToken: text, provider.settings())
            #expect(identity.rawID == "u" && identity.isEmailVerified)
            let error = await failure { () async throws(ActionError) in
                try await provider.verifier().verify(idToken: text, provider.settings())
            }
            #expect(error?.refusal == .invalidIDPResponse)
        }
        // Phones have signed tokens in development as well, of providers that are not configured.
        let token = try provider.token(by: .attacker)
        var sent = ProviderCredential(provider: "google.com")
        sent.idToken = token
        let unchecked = try await provider.verifier(acceptsUnsigned: true).verify(sent, nil, in: ProjectID(rawValue: "shop"))
        #expect(unchecked.rawID == TestProvider.user)
        let closed = await failure { [sent] () async throws(ActionError) in
            try await provider.verifier().verify(sent, nil, in: ProjectID(rawValue: "shop"))
        }
        #expect(closed?.refusal == .operationNotAllowed)
        // Those of a configured provider are verified.
        let error = await failure { () async throws(ActionError) in
            try await provider.verifier(acceptsUnsigned: true).verify(idToken: token, provider.settings())
        }
        #expect(error?.refusal == .invalidIDPResponse)
    }

    @Test func `is refused for a provider that the project does not offer`() async throws {
        let provider = try TestProvider()
        var credential = ProviderCredential(provider: "oidc.acme")
        credential.idToken = try provider.token()
        let (sent, verifier) = (credential, provider.verifier())
        for settings in [nil, provider.settings { $0.isEnabled = false }] {
            let error = await failure { () async throws(ActionError) in
                try await verifier.verify(sent, settings, in: ProjectID(rawValue: "shop"))
            }
            #expect(error?.refusal == .operationNotAllowed)
        }
        #expect(provider.requestCount == 0)
    }
}
