import CryptoExtras
import EmailActions
import Foundation
import Testing
import Vectors
import World

@testable import Accounts

/// The two kinds of tokens that are taken from strangers, and somebody who attacks them.
private enum Kind: CaseIterable, Sendable { case idToken, customToken }

private struct Target: Sendable {
    let kind: Kind
    let world: World
    let accounts: Accounts
    /// Has the right key.
    let signer: Signer
    let header: String
    /// Of a token that is taken.
    let payload: [String: Claim]

    init(_ kind: Kind) async throws {
        self.kind = kind
        world = try await World()
        accounts = try await world.accounts()
        let account = try await world.account("ada@app.example")
        switch kind {
        case .idToken:
            let token = try await accounts.openSession(for: account, by: .password).idToken
            signer = try await world.insider()
            let compact = try #require(CompactToken(token))
            header = #"{"alg":"RS256","kid":"\#(compact.header.kid ?? "")","typ":"JWT"}"#
            payload = try #require(compact.decoded())
        case .customToken:
            signer = .backEnd
            header = #"{"alg":"RS256","typ":"JWT"}"#
            let now = world.clock.now().seconds
            payload = [
                "iss": .string(Signer.email), "sub": .string(Signer.email), "aud": .string(CustomToken.audience), "iat": .int(now),
                "exp": .int(now + 3600), "uid": .string("ada"), "claims": .object(["role": .string("admin")]),
            ]
        }
    }

    func json(_ change: [String: Claim?] = [:]) throws -> String {
        try Claim.text(payload.merging(change.mapValues { $0 ?? .null }) { $1 }.filter { $0.value != .null })
    }

    func isTaken(_ token: String) async throws -> Bool {
        do throws(ActionError) {
            switch kind {
            case .idToken: _ = try await accounts.account(behind: token, in: world.project.id)
            case .customToken:
                let backEnd: ServiceAccount
                do { backEnd = try Signer.backEnd.account() } catch { return false }
                _ = try CustomToken(signed: token, by: [backEnd], at: world.clock.now())
            }
            return true
        } catch {
            guard case .refused = error else { throw error }
            return false
        }
    }
}

@Suite(.enabled(if: Vectors.arePresent, "\(Vectors.absence)")) struct `A token in wrong hands` {
    private func headers() throws -> [[String: Any]] {
        let file = try JSONSerialization.jsonObject(with: Vectors.bytes("jwt/attack-mutations.json")) as? [String: Any]
        return try #require(file?["header_mutations"] as? [[String: Any]])
    }

    /// T1, T2: all header mutations, with the old signature, none, a HMAC by the public key, and a stranger's.
    @Test(arguments: Kind.allCases) private func `is refused whatever its header says`(_ kind: Kind) async throws {
        let target = try await Target(kind)
        let payload = try target.json()
        let good = try target.signer.token(payload, header: target.header)
        #expect(try await target.isTaken(good))
        let parts = good.split(separator: ".")
        let headers = try headers()
        #expect(headers.count == 30)
        for fields in headers {
            let plain = fields.filter { !$0.key.hasPrefix("_") }
            let header = String(decoding: try JSONSerialization.data(withJSONObject: plain, options: .sortedKeys), as: UTF8.self)
            let encoded = Base64URL.encode(Array(header.utf8))
            let empty = fields["_sign"] == nil ? "" : "AAAA"
            let forged = [
                "\(encoded).\(parts[1]).\(parts[2])", "\(encoded).\(parts[1]).\(empty)", "\(encoded).\(parts[1])",
                target.signer.confused(payload, header: header), try Signer.attacker.token(payload, header: header),
            ]
            for token in forged { #expect(try await !target.isTaken(token), "\(header)") }
            // T2: whoever has the key may name whatever they like, and nobody looks there; what must be understood is not.
            if kind == .customToken, plain["alg"] as? String == "RS256" {
                let token = try target.signer.token(payload, header: header)
                let isUnderstood = plain["crit"] == nil && (plain["kid"] == nil || plain["kid"] is String)
                let isShort = token.utf8.count <= CompactToken.maxBytes
                #expect(try await target.isTaken(token) == (isUnderstood && isShort), "\(header.prefix(200))")
            }
        }
    }

    /// T3 and the shape: signed by the right key, and refused all the same.
    @Test(arguments: Kind.allCases) private func `is refused whatever its payload says wrongly`(_ kind: Kind) async throws {
        let target = try await Target(kind)
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
            #expect(try await !target.isTaken(token), "\(change)")
        }
        let deep = String(repeating: "[", count: 3000) + String(repeating: "]", count: 3000)
        let long = String(repeating: "a", count: 1_000_000)
        let texts = [
            "", "null", "[]", "{}", "NaN", #"{"exp":1e400}"#, "\u{feff}" + "x",
            try target.json().replacing("\"iat\":", with: "\"iat\":Infinity,\"x\":"),
            #"{"x":\#(deep),\#(try target.json().dropFirst())"#, #"{"x":"\#(long)",\#(try target.json().dropFirst())"#,
        ]
        for text in texts { #expect(try await !target.isTaken(try target.signer.token(text, header: target.header)), "\(text.prefix(80))") }
    }

    @Test private func `as a custom token lasts an hour at most and begins when it says`() async throws {
        let target = try await Target(.customToken)
        let now = target.world.clock.now().seconds
        for (change, isTaken) in [
            (["exp": Claim.int(now + 3601)], false), (["iat": .int(now + 300), "exp": .int(now + 3900)], true),
            (["exp": .int(.max)], false), (["iat": .int(.min)], false), (["nbf": .int(now + 301)], false), (["nbf": .int(now + 300)], true),
            (["iat": .int(now - 3599), "exp": .int(now + 1)], true),
            (["iat": .int(now - 3600), "exp": .int(now)], false), (["iat": .int(now), "exp": .int(now)], false),
        ] {
            #expect(
                try await target.isTaken(try target.signer.token(try target.json(change), header: target.header)) == isTaken, "\(change)")
        }
    }

    /// Each has one spelling.
    @Test(arguments: Kind.allCases) private func `is refused in every other spelling`(_ kind: Kind) async throws {
        let target = try await Target(kind)
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
        for text in spellings where text != good { #expect(try await !target.isTaken(text), "\(text.prefix(60))") }
    }

    /// T4: at every position.
    @Test(arguments: Kind.allCases) private func `is refused with any bit of it changed`(_ kind: Kind) async throws {
        let target = try await Target(kind)
        let good = Array(try target.signer.token(try target.json(), header: target.header).utf8)
        for position in good.indices {
            for bit: UInt8 in [1, 2, 4, 8, 16, 32] {
                var bad = good
                bad[position] ^= bit
                #expect(try await !target.isTaken(String(decoding: bad, as: UTF8.self)), "byte \(position)")
            }
        }
    }

    /// T1: each kind of token is only what it is.
    @Test private func `is none of another kind`() async throws {
        let target = try await Target(.idToken)
        let account = try #require(try await target.world.stored(AccountID(rawValue: "ada")))
        let tokens = try await target.accounts.openSession(for: account, by: .password)
        let cookie = try await target.accounts.sessionCookie(for: tokens.idToken, in: target.world.project.id)
        let idTokens = target.accounts.tokens
        _ = try await idTokens.verify(cookie: cookie, for: target.world.project.id)
        #expect(try await !target.isTaken(cookie))
        #expect(try await !target.isTaken(tokens.refreshToken))
        await #expect(throws: ActionError.self) { try await idTokens.verify(cookie: tokens.idToken, for: target.world.project.id) }
        await #expect(throws: ActionError.self) { try await target.accounts.refresh(tokens.idToken, in: target.world.project.id) }
        let custom = try await Target(.customToken)
        #expect(try await !target.isTaken(custom.signer.token(try custom.json(), header: custom.header)))
        for text in [cookie, tokens.idToken, tokens.refreshToken] { #expect(try await !custom.isTaken(text)) }
        #expect(try await !custom.isTaken(#"{"uid":"ada"}"#))
    }

    private struct Group: Decodable {
        struct Key: Decodable { let kty, alg, n, e: String? }
        struct Test: Decodable {
            let tcId: Int
            let comment: String
            let jws: String?
            let result: String

            enum CodingKeys: CodingKey { case tcId, comment, jws, result }

            /// Some are objects, which are no compact tokens.
            init(from decoder: any Decoder) throws {
                let own = try decoder.container(keyedBy: CodingKeys.self)
                tcId = try own.decode(Int.self, forKey: .tcId)
                comment = try own.decode(String.self, forKey: .comment)
                jws = try? own.decode(String.self, forKey: .jws)
                result = try own.decode(String.self, forKey: .result)
            }
        }
        let `public`: Key?
        let tests: [Test]
    }

    private func groups() throws -> [Group] {
        struct File: Decodable { let testGroups: [Group] }
        return try ["signature", "crypto", "key"].flatMap {
            try JSONDecoder().decode(File.self, from: Vectors.bytes("jwt/wycheproof-json_web_\($0)_test.json")).testGroups
        }
    }

    /// T1: all of Wycheproof's tokens, of every algorithm, are strangers here.
    @Test private func `is refused when it is one of Wycheproof's`() async throws {
        for kind in Kind.allCases {
            let target = try await Target(kind)
            for test in try groups().flatMap(\.tests) {
                #expect(try await !target.isTaken(test.jws ?? ""), "\(test.tcId)")
            }
        }
    }

    /// The signatures of RS256 as such, by Wycheproof's own keys.
    @Test private func `is judged as Wycheproof judges RS256`() throws {
        var judged = 0
        for group in try groups() {
            guard let key = group.public, key.kty == "RSA", key.alg == "RS256", let n = key.n.flatMap(Base64URL.decode),
                let e = key.e.flatMap(Base64URL.decode)
            else { continue }
            let pem = try _RSA.Signing.PublicKey(n: n, e: e).pemRepresentation
            let account = try ServiceAccount(email: "wycheproof", pem: pem)
            // Whether a key can be factored is the business of the operator who configures it.
            for test in group.tests where test.comment != "rejectsKeyWithRocaVulnerability" {
                let isTaken = test.jws.flatMap { CompactToken($0) }.map { account.signed($0) } ?? false
                #expect(isTaken == (test.result == "valid"), "\(test.tcId)")
                judged += 1
            }
        }
        #expect(judged > 240)
    }
}

extension Claim {
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
}
