/// A key pair for ID tokens as the store keeps it; the private part is sealed.
package struct StoredSigningKey: Sendable, Hashable {
    /// The `kid` of tokens and of the JWKS.
    package let id: String
    package let createdAt: Timestamp
    /// PKCS#8 PEM, sealed with `Secrets.Purpose.signingKey`.
    package let sealedPrivateKey: [UInt8]

    package init(id: String, createdAt: Timestamp, sealedPrivateKey: [UInt8]) {
        self.id = id
        self.createdAt = createdAt
        self.sealedPrivateKey = sealedPrivateKey
    }
}

/// Where signing keys are kept.
package protocol SigningKeyStore: Sendable {
    /// All keys, newest first; when there are none, `make`'s is stored, and exactly one of several starting processes wins.
    func signingKeys(orFirst make: @escaping @Sendable () throws(ActionError) -> StoredSigningKey) async throws(ActionError)
        -> [StoredSigningKey]
}
