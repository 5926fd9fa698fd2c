import Cryptography
import Foundation
import Testing

@Suite struct `An RSA key` {
    private static let known = KnownAnswers.all.rsa
    private static let message = Array(known.message.utf8)
    private static let invalidKeys = KnownAnswers.all.invalidKeys.keys.sorted()

    /// RS256 is deterministic, so the signature of another implementation is ours, too.
    @Test func `makes the signature that others make`() throws {
        let key = try #require(RSAPrivateKey(pem: Self.known.privateKey.utf8))
        #expect(try key.sign(Self.message) == Array(Self.known.signature))
        #expect(try key.publicKey.verifies(key.sign([]), of: []))
        #expect(try key.publicKey.verifies(key.sign(run("a", 100_000)), of: run("a", 100_000)))
    }

    /// Amazon SNS signs with SHA-1 unless a topic says otherwise. The signature is Python's.
    @Test func `verifies a signature with SHA-1 only where it is asked to`() throws {
        let signature = try #require(
            Data(
                base64Encoded: """
                    Lx59DWH+XmI+Cu4h8BdAACKUb5KCsZrDLaqWUI4Budedq+wS0zGSNdKbB5F9MnWAjFFSl9K5Dh9GfG+SXTp+FQUCHDihryEb/mDRTji8twjGEcLDVrdU\
                    yO0/8lN958djojYkFyFcwKso0l/ukHWVdoaDXeDOo4HJ7NHv2e/4hteX4IbTqg28RMZlC6D0hvSngs5zKvwQahrxwyq5F2y3BLH+fiiw/K2/wYy0jOOj\
                    BkHY2SQNqMJqSWZYrlnFBzihbJRJy0NtM0k3QzN76iGW8WaURDOMzX/skw0JRC3aI5fqbXuPyokYjgLBdbNja2EnGl6L5glkXwGlzxcHaQGbSg==
                    """))
        let key = try RSAPublicKey(pem: Self.known.publicKey)
        #expect(key.verifies(Array(signature), of: Self.message, with: .sha1))
        #expect(!key.verifies(Array(signature), of: Self.message))
        #expect(!key.verifies(Array(Self.known.signature), of: Self.message, with: .sha1))
    }

    @Test(arguments: ["publicKey", "pkcs1", "certificate"])
    func `is read from each form of PEM`(_ form: String) throws {
        let pem = ["publicKey": Self.known.publicKey, "pkcs1": Self.known.pkcs1, "certificate": Self.known.certificate][form] ?? ""
        for text in [pem, "Bag Attributes\n" + pem, pem.replacing("\n", with: "\r\n"), String(pem.dropLast())] {
            let key = try RSAPublicKey(pem: text)
            #expect(key.modulus == Array(Self.known.modulus) && key.exponent == [1, 0, 1])
            #expect(key.pem == Self.known.publicKey.trimmingCharacters(in: .newlines))
            #expect(key.verifies(Array(Self.known.signature), of: Self.message))
        }
    }

    @Test func `is made of the numbers of a JSON Web Key`() throws {
        let key = try RSAPublicKey(modulus: Array(Self.known.modulus), exponent: [1, 0, 1])
        #expect(key.verifies(Array(Self.known.signature), of: Self.message))
        #expect(try RSAPublicKey(modulus: [0] + Self.known.modulus, exponent: [0, 1, 0, 1]).modulus == Array(Self.known.modulus))
        for (modulus, exponent) in [
            ([], []), (Array(Self.known.modulus), []), (Array(Self.known.modulus), [1]), (Array(Self.known.modulus), [2]),
            (Array(Self.known.modulus), [0]), ([3], [3]), (Self.known.modulus.dropLast() + [0], [1, 0, 1]),
            ([UInt8](repeating: 0xff, count: 100_000), [1, 0, 1]), (Array(Self.known.modulus), Array(Self.known.modulus)),
        ] as [([UInt8], [UInt8])] {
            #expect(throws: RSAPublicKey.Invalid.self) { try RSAPublicKey(modulus: modulus, exponent: exponent) }
        }
    }

    @Test func `accepts an exponent of three`() throws { _ = try RSAPublicKey(pem: KnownAnswers.all.exponent3) }

    /// With an exponent of 1 the padded hash is its own signature, so anyone could sign.
    @Test(arguments: invalidKeys)
    func `is refused if it is not a safe RSA key`(_ name: String) throws {
        let pem = try #require(KnownAnswers.all.invalidKeys[name])
        let error = #expect(throws: RSAPublicKey.Invalid.self, "\(name)") { try RSAPublicKey(pem: pem) }
        #expect(error?.explanation.isEmpty == false)
    }

    @Test(arguments: known.invalidSignatures.keys.sorted())
    func `refuses a signature that is not its own`(_ name: String) throws {
        let signature = try #require(Self.known.invalidSignatures[name])
        #expect(try !RSAPublicKey(pem: Self.known.publicKey).verifies(Array(signature), of: Self.message), "\(name)")
    }

    @Test func `refuses its signature with any byte changed, and of another message`() throws {
        let key = try RSAPublicKey(pem: Self.known.publicKey)
        let signature = Array(Self.known.signature)
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1 << UInt8(index % 8)
            #expect(!key.verifies(changed, of: Self.message))
        }
        #expect(!key.verifies(signature, of: []) && !key.verifies(signature, of: Self.message + [0]))
    }

    /// A password is never asked for, so a server never waits at a terminal.
    @Test func `is not read if it is encrypted`() {
        for pem in [Self.known.encrypted, Self.known.encryptedTraditional, Self.known.publicKey, Self.known.certificate, "", "x"] {
            #expect(RSAPrivateKey(pem: pem.utf8) == nil)
        }
    }

    @Test func `is generated, written and read again`() throws {
        let key = try RSAPrivateKey()
        let pem = try key.pem()
        let text = pem.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        #expect(text.hasPrefix("-----BEGIN PRIVATE KEY-----\n") && key.publicKey.modulus.count == 256)
        let again = try #require(RSAPrivateKey(pem: text.utf8))
        #expect(again.publicKey.modulus == key.publicKey.modulus)
        #expect(try again.sign(Self.message) == key.sign(Self.message))
    }

    @Test func `is published in a certificate that it signs, always the same`() throws {
        let key = try #require(RSAPrivateKey(pem: Self.known.privateKey.utf8))
        func certificate() throws -> String {
            try X509Certificate(selfSignedBy: key, commonName: "a name", serial: [1, 2], notBefore: 0, notAfter: 4_102_444_800).pem()
        }
        let pem = try certificate()
        #expect(try certificate() == pem && pem.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
        #expect(try RSAPublicKey(pem: pem).modulus == Array(Self.known.modulus))
    }
}
