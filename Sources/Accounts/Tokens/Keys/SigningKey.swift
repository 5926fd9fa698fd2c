internal import Crypto
internal import CryptoExtras
internal import Foundation
internal import SwiftASN1
internal import X509

/// A key pair for tokens, opened: RS256, RSA with SHA-256 and PKCS #1 v1.5. Source: RFC 7518 section 3.3.
struct SigningKey: Sendable {
    let stored: StoredSigningKey
    private let key: _RSA.Signing.PrivateKey

    /// The `kid` of tokens and of the published keys.
    var id: String { stored.id }

    /// Throws `Secrets.NotOurs` for a key that another secret sealed.
    init(_ stored: StoredSigningKey, secrets: Secrets) throws {
        self.stored = stored
        let pem = try secrets.open(stored.sealedPrivateKey, for: .signingKey)
        key = try _RSA.Signing.PrivateKey(pemRepresentation: String(decoding: pem, as: UTF8.self))
    }

    /// A new one, sealed. Takes a tenth of a second and more.
    static func make(id: String, now: Timestamp, signsFrom: Timestamp, secrets: Secrets) throws -> StoredSigningKey {
        let pem = try _RSA.Signing.PrivateKey(keySize: .bits2048).pkcs8PEMRepresentation
        return StoredSigningKey(
            id: id, createdAt: now, signsFrom: signsFrom, sealedPrivateKey: try secrets.seal(Array(pem.utf8), for: .signingKey))
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5).rawRepresentation)
    }

    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.publicKey.isRS256(signature, of: message) }

    /// As a JSON Web Key. Source: RFC 7517, RFC 7518 section 6.3.
    func jwk() throws -> [String: String] {
        let primitives = try key.publicKey.getKeyPrimitives()
        return [
            "kty": "RSA", "alg": "RS256", "use": "sig", "kid": id, "n": Base64URL.encode(primitives.modulus),
            "e": Base64URL.encode(primitives.publicExponent),
        ]
    }

    /// The public key in a certificate that it signed itself, because that is how Google publishes its own. The same at each call and
    /// in each process; the dates are of no meaning to tokens, and wide. Source: RFC 5280.
    func certificate() throws -> String {
        let name = try DistinguishedName { CommonName("onward.tokens") }
        let made = Date(timeIntervalSince1970: Double(stored.createdAt.seconds))
        return try Certificate(
            version: .v3, serialNumber: .init(bytes: [1] + SHA256.hash(data: Array(id.utf8)).prefix(15)),
            publicKey: .init(key.publicKey), notValidBefore: made - 86_400, notValidAfter: made + 86_400 * 3_650, issuer: name,
            subject: name, signatureAlgorithm: .sha256WithRSAEncryption, extensions: .init(), issuerPrivateKey: .init(key)
        ).serializeAsPEM().pemString
    }
}

extension _RSA.Signing.PublicKey {
    /// Whether this is the signature by RS256.
    func isRS256(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        isValidSignature(.init(rawRepresentation: signature), for: SHA256.hash(data: message), padding: .insecurePKCS1v1_5)
    }
}
