import Base
import Cryptography
import Foundation
import Testing
import World
@testable import Accounts

@Suite struct `A forged or malformed token` {
    /// Headers that name another algorithm, or another place to get the key from.
    private static let hostileHeaders = [
        #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":"NONE"}"#, #"{"alg":"nOnE"}"#, #"{"alg":""}"#, #"{"alg":null}"#,
        #"{"alg":["RS256"]}"#,
        #"{"alg":0}"#, #"{"alg":true}"#, "{}", #"{"typ":"JWT"}"#, #"{"alg":"HS256"}"#, #"{"alg":"HS384"}"#, #"{"alg":"HS512"}"#,
        #"{"alg":"RS384"}"#,
        #"{"alg":"RS512"}"#, #"{"alg":"PS256"}"#, #"{"alg":"ES256"}"#, #"{"alg":"EdDSA"}"#, #"{"alg":"rs256"}"#, #"{"alg":"RS256 "}"#,
        #"{"alg":"RS256\u0000"}"#, #"{"alg":"RSA1_5","enc":"A128GCM"}"#, #"{"alg":"RS256","crit":["exp"],"exp":1}"#,
        #"{"alg":"RS256","crit":[]}"#, #"{"alg":"RS256","b64":false,"crit":["b64"]}"#, #"{"alg":"RS256","kid":1}"#,
        #"{"alg":"RS256","kid":{}}"#,
        "[]", "null", "", "x", #""RS256""#, #"{"alg":"RS256""#,
    ]

    /// Headers of a well-formed token that name their own key or place. None of this is ever looked
    /// at.
    private static func namingAKey(_ attacker: RSAPublicKey) -> [String] {
        let (n, e) = (Base64URL.encode(attacker.modulus), Base64URL.encode(attacker.exponent))
        return [
            #"{"alg":"RS256","jwk":{"kty":"RSA","n":"\#(n)","e":"\#(e)"}}"#, #"{"alg":"RS256","jku":"https://evil.example/jwks.json"}"#,
            #"{"alg":"RS256","x5u":"https://evil.example/cert.pem"}"#, #"{"alg":"RS256","x5c":["MIIB"]}"#, #"{"alg":"RS256","x5t":"AAAA"}"#,
            #"{"alg":"RS256","kid":"../../../../dev/null"}"#, #"{"alg":"RS256","kid":"file:///etc/passwd"}"#,
            #"{"alg":"RS256","kid":"https://evil.example/key"}"#, #"{"alg":"RS256","kid":"' OR '1'='1"}"#,
            #"{"alg":"RS256","kid":"a\u0000b"}"#,
            #"{"alg":"RS256","kid":""}"#, #"{"alg":"RS256","typ":"at+jwt"}"#, #"{"alg":"RS256","cty":"JWT"}"#,
            #"{"alg":"RS256","zip":"DEF"}"#,
        ]
    }

    /// T1: with the signature of another header, no signature, an HMAC by the public key, and an
    /// attacker's signature.
    @Test(arguments: TokenKind.allCases) func `is refused with another algorithm in its header`(_ kind: TokenKind) async throws {
        let target = try await TokenTarget(kind)
        let payload = try target.json()
        let good = try target.signer.token(payload, header: target.header)
        #expect(try await target.accepts(good))
        let parts = good.split(separator: ".")
        for header in Self.hostileHeaders {
            let encoded = Base64URL.encode(Array(header.utf8))
            let forged = [
                "\(encoded).\(parts[1]).\(parts[2])", "\(encoded).\(parts[1]).", "\(encoded).\(parts[1])", "\(encoded).\(parts[1]).AAAA",
                target.signer.confused(payload, header: header), try Signer.attacker.token(payload, header: header),
                try target.signer.token(payload, header: header),
            ]
            for token in forged { #expect(try await !target.accepts(token), "\(header)") }
        }
    }

    /// T2: a key that the token brings or names is not used, and what names it is ignored if the
    /// right key has signed.
    @Test(arguments: TokenKind.allCases) func `is verified only with the configured keys, whatever key its header names`(_ kind: TokenKind)
        async throws
    {
        let target = try await TokenTarget(kind)
        let payload = try target.json()
        for header in Self.namingAKey(try RSAPublicKey(pem: Signer.attacker.publicKey)) {
            #expect(try await !target.accepts(try Signer.attacker.token(payload, header: header)), "\(header)")
            #expect(try await !target.accepts(target.signer.confused(payload, header: header)), "\(header)")
            // An ID token needs the `kid` of a key that was published; a custom token needs none.
            #expect(try await target.accepts(try target.signer.token(payload, header: header)) == (kind == .customToken), "\(header)")
        }
    }

    /// T3: signed by the right key, with a wrong claim or shape.
    @Test(arguments: TokenKind.allCases) func `is refused with a wrong claim, though the right key signed it`(_ kind: TokenKind)
        async throws
    {
        let target = try await TokenTarget(kind)
        let now = target.world.clock.now().seconds
        let subject = kind == .idToken ? "sub" : "uid"
        let wrong: [[String: Claim?]] = [
            ["exp": .string("\(now + 60)")], ["exp": .int(-1)], ["exp": nil], ["exp": .int(now)], ["exp": .int(now - 1)],
            ["exp": .double(1e300)], ["iat": nil], ["iat": .string("0")],
            ["iat": .int(now + 301), "exp": .int(now + 900)], ["aud": .array([target.payload["aud"] ?? .null])], ["aud": nil],
            ["aud": .string("other")], ["aud": .string("")], ["iss": .string("https://securetoken.google.com/other")], ["iss": nil],
            ["iss": (target.payload["iss"]?.text).map { .string($0 + "/") }], [subject: .string("")], [subject: nil],
            [subject: .string(String(repeating: "a", count: 129))], [subject: .int(1)], ["sub": .string("somebody")],
        ]
        for change in wrong {
            let token = try target.signer.token(try target.json(change), header: target.header)
            #expect(try await !target.accepts(token), "\(change)")
        }
        let deep = String(repeating: "[", count: 3000) + String(repeating: "]", count: 3000)
        let long = String(repeating: "a", count: 1_000_000)
        let texts = [
            "", "null", "[]", "{}", "NaN", #"{"exp":1e400}"#, "\u{feff}" + "x",
            try target.json().replacing("\"iat\":", with: "\"iat\":Infinity,\"x\":"),
            #"{"x":\#(deep),\#(try target.json().dropFirst())"#, #"{"x":"\#(long)",\#(try target.json().dropFirst())"#,
        ]
        for text in texts { #expect(try await !target.accepts(try target.signer.token(text, header: target.header)), "\(text.prefix(80))") }
    }

    @Test func `is refused as a custom token outside of its time, an hour at most`() async throws {
        let target = try await TokenTarget(.customToken)
        let now = target.world.clock.now().seconds
        for (change, isAccepted) in [
            (["exp": Claim.int(now + 3601)], false), (["iat": .int(now + 300), "exp": .int(now + 3900)], true),
            (["exp": .int(.max)], false), (["iat": .int(.min)], false), (["nbf": .int(now + 301)], false), (["nbf": .int(now + 300)], true),
            (["iat": .int(now - 3599), "exp": .int(now + 1)], true),
            (["iat": .int(now - 3600), "exp": .int(now)], false), (["iat": .int(now), "exp": .int(now)], false),
            (["iat": .int(now + 301), "exp": .int(now + 900), "nbf": .int(now)], false),
        ] {
            #expect(
                try await target.accepts(try target.signer.token(try target.json(change), header: target.header)) == isAccepted, "\(change)"
            )
        }
    }

    /// T3: the clock of another machine may be five minutes ahead.
    @Test(arguments: [(300, true), (301, false)])
    func `an ID token is accepted five minutes before its time, and no earlier`(_ seconds: Int64, _ isAccepted: Bool) async throws {
        let target = try await TokenTarget(.idToken)
        let claims = try target.json(["iat": .int(target.world.clock.now().seconds + seconds)])
        #expect(try await target.accepts(try target.signer.token(claims, header: target.header)) == isAccepted)
    }

    @Test(arguments: TokenKind.allCases) func `is refused in every spelling but one`(_ kind: TokenKind) async throws {
        let target = try await TokenTarget(kind)
        let good = try target.signer.token(try target.json(), header: target.header)
        let parts = good.split(separator: ".").map(String.init)
        let other = try Signer.attacker.token(try target.json(), header: target.header).split(separator: ".").map(String.init)
        let spellings = [
            parts[0...1].joined(separator: "."), good + "." + parts[2], good + ".x.y", parts[0...1].joined(separator: ".") + ".",
            good + ".", "." + good, good + "=", parts[0] + "=." + parts[1...].joined(separator: "."), " " + good, good + "\n", good + "\0",
            good.replacing("-", with: "+").replacing("_", with: "/"), parts[0] + ". " + parts[1] + "." + parts[2],
            parts[0] + ".\n" + parts[1] + "." + parts[2], "\u{feff}" + good, String(good.flatMap { "\($0)\0" }), good.uppercased(),
            parts[0...1].joined(separator: ".") + "." + other[2], "", ".", "..", "...",
        ]
        for text in spellings where text != good { #expect(try await !target.accepts(text), "\(text.prefix(60))") }
    }

    /// T4: at every position.
    @Test(arguments: TokenKind.allCases) func `is refused with any bit changed`(_ kind: TokenKind) async throws {
        let target = try await TokenTarget(kind)
        let good = Array(try target.signer.token(try target.json(), header: target.header).utf8)
        for position in good.indices {
            for bit: UInt8 in [1, 2, 4, 8, 16, 32] {
                var bad = good
                bad[position] ^= bit
                #expect(try await !target.accepts(String(decoding: bad, as: UTF8.self)), "byte \(position)")
            }
        }
    }

    /// T1: each kind of token is accepted only in its own place.
    @Test func `is refused as a token of another kind`() async throws {
        let target = try await TokenTarget(.idToken)
        let account = try #require(try await target.world.stored(AccountID(rawValue: "ada")))
        let tokens = try await target.accounts.openSession(for: account, by: .password)
        let cookie = try await target.accounts.sessionCookie(for: tokens.idToken, in: target.world.project.id)
        let idTokens = target.accounts.tokens
        _ = try await idTokens.verify(cookie: cookie, for: target.world.project.id)
        #expect(try await !target.accepts(cookie))
        #expect(try await !target.accepts(tokens.refreshToken))
        await #expect(throws: ActionError.self) { try await idTokens.verify(cookie: tokens.idToken, for: target.world.project.id) }
        await #expect(throws: ActionError.self) { try await target.accounts.refresh(tokens.idToken, in: target.world.project) }
        let custom = try await TokenTarget(.customToken)
        #expect(try await !target.accepts(custom.signer.token(try custom.json(), header: custom.header)))
        for text in [cookie, tokens.idToken, tokens.refreshToken] { #expect(try await !custom.accepts(text)) }
        #expect(try await !custom.accepts(#"{"uid":"ada"}"#))
    }
}
