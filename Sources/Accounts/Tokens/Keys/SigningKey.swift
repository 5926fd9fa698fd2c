internal import Cryptography

/// A key pair that signs tokens by RS256, opened.
struct SigningKey: Sendable {
    let stored: StoredSigningKey
    private let key: RSAPrivateKey
    private let publicKey: RSAPublicKey

    /// The `kid` of tokens and of the published keys.
    var id: String { stored.id }

    /// Thrown for a stored key that was opened but is not an RSA key.
    struct Unreadable: Error, CustomStringConvertible {
        let id: String
        var description: String { "the signing key \(id) cannot be read" }
    }

    /// Throws `Secrets.OpenError` and `Unreadable`.
    init(_ stored: StoredSigningKey, secrets: Secrets) throws {
        self.stored = stored
        let pem = try secrets.openKey(stored.sealedPrivateKey, for: .signingKey)
        guard let key = pem.withUnsafeBytes({ RSAPrivateKey(pem: $0) }) else { throw Unreadable(id: stored.id) }
        (self.key, publicKey) = (key, key.publicKey)
    }

    /// Generates a key and seals it, which takes a tenth of a second and more.
    static func make(id: String, now: Timestamp, signsFrom: Timestamp, secrets: Secrets) throws -> StoredSigningKey {
        StoredSigningKey(
            id: id, createdAt: now, signsFrom: signsFrom, sealedPrivateKey: secrets.seal(try RSAPrivateKey().pem(), for: .signingKey))
    }

    func sign(_ message: [UInt8]) throws -> [UInt8] { try key.sign(message) }

    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool { publicKey.verifies(signature, of: message) }

    /// The public key as a JSON Web Key. Source: RFC 7517, RFC 7518 section 6.3.
    func jwk() -> [String: String] {
        [
            "kty": "RSA", "alg": "RS256", "use": "sig", "kid": id, "n": Base64URL.encode(publicKey.modulus),
            "e": Base64URL.encode(publicKey.exponent),
        ]
    }

    /// The public key in a self-signed certificate, the form in which Google publishes its own
    /// keys. It is the same at each call and in each process. Its dates mean nothing to tokens, and
    /// are wide. Source: RFC 5280.
    func certificate() throws -> String {
        let (created, day) = (Int(stored.createdAt.seconds), 86_400)
        return try X509Certificate(
            selfSignedBy: key, commonName: "onward.tokens", serial: [1] + HashFunction.sha256.hash(Array(id.utf8)).prefix(15),
            notBefore: created - day, notAfter: created + day * 3_650
        ).pem()
    }
}
