import Cryptography
import Foundation

/// Results of other implementations for the inputs of these tests: Python's `hashlib` and `hmac`,
/// and the package `cryptography` for ciphers and RSA. Results over many lengths are kept as one
/// SHA-256 of all of them.
struct KnownAnswers: Decodable {
    struct RSA: Decodable {
        let privateKey, publicKey, pkcs1, certificate, message, encrypted, encryptedTraditional: String
        let modulus, signature: Data
        let invalidSignatures: [String: Data]
    }
    let hashes, authenticationCodes, pbkdf2, invalidKeys: [String: String]
    let sealed, counterMode, scrypt, exponent3: String
    let rsa: RSA

    static let all: KnownAnswers = {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "KnownAnswers.json")
        return try! JSONDecoder().decode(KnownAnswers.self, from: Data(contentsOf: file))
    }()
}

func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\n") })
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)! }
}

func hex(_ bytes: some Sequence<UInt8>) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

func hex(_ secret: SecretBytes) -> String { secret.withUnsafeBytes { hex($0) } }

/// The hash of everything that `make` returns for lengths from 0 to below `lengths`.
func hashOfAll(_ lengths: Int, _ make: (Int) throws -> [UInt8]) rethrows -> String {
    hex(HashFunction.sha256.hash(try (0..<lengths).flatMap(make)))
}

func run(_ letter: Character, _ count: Int) -> [UInt8] { [UInt8](repeating: letter.asciiValue!, count: count) }

extension HashFunction {
    var name: String { "\(self)" }
}
