/// A key pair for tokens as the store keeps it; the private part is sealed.
package struct StoredSigningKey: Sendable, Hashable {
    /// The `kid` of tokens and of the JWKS.
    package let id: String
    package let createdAt: Timestamp
    /// Published before, it signs from this moment until another begins.
    package let signsFrom: Timestamp
    /// PKCS#8 PEM, sealed with `Secrets.Purpose.signingKey`.
    package let sealedPrivateKey: [UInt8]

    package init(id: String, createdAt: Timestamp, signsFrom: Timestamp, sealedPrivateKey: [UInt8]) {
        self.id = id
        self.createdAt = createdAt
        self.signsFrom = signsFrom
        self.sealedPrivateKey = sealedPrivateKey
    }
}

/// What becomes of the stored keys, decided on all that there are.
package struct KeyChange: Sendable {
    package let added: StoredSigningKey?
    package let forgotten: Set<String>

    package init(adding key: StoredSigningKey?, forgetting ids: Set<String> = []) {
        added = key
        forgotten = ids
    }
}

/// Where signing keys are kept.
package protocol SigningKeyStore: Sendable {
    /// All keys, the one that begins first before the others.
    func signingKeys() async throws(ActionError) -> [StoredSigningKey]
    /// Decides and does it in one transaction, so that of several processes each sees what the others did.
    func changeSigningKeys(_ decide: @escaping @Sendable ([StoredSigningKey]) -> KeyChange) async throws(ActionError)
}
