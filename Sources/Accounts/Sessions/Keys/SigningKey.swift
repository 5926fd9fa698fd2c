internal import Base
internal import Cryptography

/// A key pair that signs tokens by RS256, opened.
struct SigningKey: Sendable {
    let stored: StoredSigningKey
    private let key: RSAPrivateKey
    private let publicKey: RSAPublicKey

    /// The `kid` of tokens and of the published keys.
    var id: String { stored.id }

    /// Throws `Unavailable` with a sentence for the operator if the stored key is damaged.
    init(_ stored: StoredSigningKey, secrets: Secrets) throws(ActionError) {
        self.stored = stored
        guard let pem = try? secrets.openKey(stored.sealedPrivateKey, for: .signingKey),
            let key = pem.withUnsafeBytes({ RSAPrivateKey(pem: $0) })
        else { throw .unavailable(Unavailable(.tokens, cause: Self.sentence(onDamaged: stored.id))) }
        (self.key, publicKey) = (key, key.publicKey)
    }

    private static func sentence(onDamaged id: String) -> String {
        """
        The signing key \(id) in the database is damaged; the secret is right. Restore a backup, or run `onward signing-key rotate \
        --compromised`, which replaces all signing keys and so ends every ID token and session cookie.
        """
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
