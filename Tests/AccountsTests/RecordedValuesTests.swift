import Base
import Foundation
import Network
import Testing
@testable import Accounts

/// Values that an earlier build of this server made with the same secret (`Recorded.json`). They
/// are in databases and in the hands of clients, so a later build must still read each of them.
///
/// They are from before sealed values and digests began with the number of the secret. Today's
/// values are that number and then the recorded bytes.
@Suite struct `A value made by an earlier build` {
    private struct Recorded: Decodable {
        struct Code: Decodable {
            let text: String
            let rowID: Int64
            let digest: String
        }
        struct Key: Decodable {
            let id: String
            let createdAt, signsFrom: Int64
            let sealedPrivateKey, token, jwks, certificates: String
        }
        /// Values by the raw value of their key's purpose, in base64url.
        let sealed, digests: [String: String]
        let plain, message, password: String
        let code: Code
        let passwords: [String]
        let signingKey: Key
    }

    private static let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
    private let recorded: Recorded

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Recorded.json")
        recorded = try JSONDecoder().decode(Recorded.self, from: Data(contentsOf: file))
    }

    /// A recorded value after the number of the secret.
    private static func numbered(_ text: String) throws -> [UInt8] { [Secrets.firstNumber] + (try #require(Base64URL.decode(text))) }

    /// A stored password hash whose sealed signer key begins with the number of the secret.
    private static func numberingKey(in stored: String) throws -> String {
        guard let key = stored.firstMatch(of: #/signerKey=([\w-]+)/#)?.1 else { return stored }
        return stored.replacing(key, with: Base64URL.encode(try numbered(String(key))))
    }

    @Test func `is opened when it was sealed`() throws {
        #expect(recorded.sealed.count == 10)
        for (name, text) in recorded.sealed {
            let purpose = try #require(Secrets.KeyPurpose(rawValue: name))
            let sealed = try Self.numbered(text)
            #expect(try Self.secrets.open(sealed, for: purpose) == Array(recorded.plain.utf8), "\(name)")
        }
    }

    @Test func `has the same digest`() throws {
        #expect(recorded.digests.count == 10)
        for (name, text) in recorded.digests {
            let purpose = try #require(Secrets.KeyPurpose(rawValue: name))
            #expect(try Self.secrets.digest(Array(recorded.message.utf8), for: purpose).bytes == Self.numbered(text), "\(name)")
        }
    }

    @Test func `is found by its row id and digest when it is a code`() throws {
        let key = try #require(OobCode(recorded.code.text)).key(by: Self.secrets)
        #expect(key.rowID == recorded.code.rowID)
        #expect(try key.digest.bytes == Self.numbered(recorded.code.digest))
    }

    @Test func `verifies the password when it is a hash, and no other`() async throws {
        let passwords = Passwords(
            workerPool: WorkerPool(label: "test", width: 2, maxWaiting: 100), cost: .cheap, secrets: Self.secrets
        ) { [UInt8](repeating: 5, count: $0) }
        #expect(recorded.passwords.count == 23)
        for old in recorded.passwords {
            let stored = try Self.numberingKey(in: old)
            #expect(try await passwords.verify(recorded.password, against: stored), "\(stored)")
            #expect(try await !passwords.verify(recorded.password + "x", against: stored), "\(stored)")
        }
    }

    @Test func `is a signing key that signs, verifies and publishes the same bytes`() throws {
        let old = recorded.signingKey
        let stored = StoredSigningKey(
            id: old.id, createdAt: Timestamp(milliseconds: old.createdAt), signsFrom: Timestamp(milliseconds: old.signsFrom),
            sealedPrivateKey: try Self.numbered(old.sealedPrivateKey))
        let ring = try KeyRing([stored], secrets: Self.secrets)
        let token = try #require(CompactToken(old.token))
        let key = try #require(ring[old.id])
        #expect(try key.sign(token.signed) == token.signature)
        #expect(key.isSignature(token.signature, of: token.signed))
        #expect(String(decoding: try ring.jwks(), as: UTF8.self) == old.jwks)
        #expect(String(decoding: try ring.certificates(), as: UTF8.self) == old.certificates)
    }
}
