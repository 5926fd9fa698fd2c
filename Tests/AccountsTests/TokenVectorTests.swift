import Base
import Cryptography
import Foundation
import Testing
import Vectors
import World
@testable import Accounts

@Suite(.enabled(if: Vectors.arePresent, "\(Vectors.absence)")) struct `Public vectors of tokens` {
    private func headers() throws -> [[String: Any]] {
        let file = try JSONSerialization.jsonObject(with: Vectors.bytes("jwt/attack-mutations.json")) as? [String: Any]
        return try #require(file?["header_mutations"] as? [[String: Any]])
    }

    /// T1, T2: all header mutations, with the old signature, none, a HMAC by the public key, and a
    /// stranger's.
    @Test(arguments: TokenKind.allCases) func `are refused with every mutation of their header`(_ kind: TokenKind) async throws {
        let target = try await TokenTarget(kind)
        let payload = try target.json()
        let good = try target.signer.token(payload, header: target.header)
        #expect(try await target.accepts(good))
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
            for token in forged { #expect(try await !target.accepts(token), "\(header)") }
            // T2: what a header names is ignored if the right key has signed, except for `crit`.
            if kind == .customToken, plain["alg"] as? String == "RS256" {
                let token = try target.signer.token(payload, header: header)
                let isWellFormed = plain["crit"] == nil && (plain["kid"] == nil || plain["kid"] is String)
                let isShort = token.utf8.count <= CompactToken.maxBytes
                #expect(try await target.accepts(token) == (isWellFormed && isShort), "\(header.prefix(200))")
            }
        }
    }

    private struct Group: Decodable {
        struct Key: Decodable { let kty, alg, n, e: String? }
        struct Test: Decodable {
            let tcId: Int
            let comment: String
            let jws: String?
            let result: String

            enum CodingKeys: CodingKey { case tcId, comment, jws, result }

            /// Some tokens are objects, which are not compact tokens.
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

    /// T1: Wycheproof's tokens are of every algorithm, and signed with keys that are not
    /// configured.
    @Test func `are refused, all of Wycheproof's`() async throws {
        for kind in TokenKind.allCases {
            let target = try await TokenTarget(kind)
            for test in try groups().flatMap(\.tests) {
                #expect(try await !target.accepts(test.jws ?? ""), "\(test.tcId)")
            }
        }
    }

    /// Verified with Wycheproof's own keys.
    @Test func `are accepted or refused as Wycheproof says of RS256`() throws {
        var judged = 0
        for group in try groups() {
            guard let key = group.public, key.kty == "RSA", key.alg == "RS256", let n = key.n.flatMap(Base64URL.decode),
                let e = key.e.flatMap(Base64URL.decode)
            else { continue }
            let account = try ServiceAccount(email: "wycheproof", pem: RSAPublicKey(modulus: n, exponent: e).pem)
            // The operator vouches that a configured key cannot be factored.
            for test in group.tests where test.comment != "rejectsKeyWithRocaVulnerability" {
                let isAccepted = test.jws.flatMap { CompactToken($0) }.map { account.signed($0) } ?? false
                #expect(isAccepted == (test.result == "valid"), "\(test.tcId)")
                judged += 1
            }
        }
        #expect(judged > 240)
    }
}
