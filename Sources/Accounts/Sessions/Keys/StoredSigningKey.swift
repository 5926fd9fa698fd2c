public import Base

/// A key pair that signs tokens, as the store keeps it. The private key is sealed.
public struct StoredSigningKey: Sendable, Hashable {
    /// The `kid` of tokens and of the JWKS.
    public let id: String
    public let createdAt: Timestamp
    /// The time from which it signs, until a later key begins. It is published earlier.
    public let signsFrom: Timestamp
    /// PKCS #8 in PEM, sealed for `Secrets.KeyPurpose.signingKey`.
    public let sealedPrivateKey: [UInt8]

    public init(id: String, createdAt: Timestamp, signsFrom: Timestamp, sealedPrivateKey: [UInt8]) {
        self.id = id
        self.createdAt = createdAt
        self.signsFrom = signsFrom
        self.sealedPrivateKey = sealedPrivateKey
    }
}

/// A change of the stored keys, decided from all of them.
public struct KeyChange: Sendable {
    public let added: StoredSigningKey?
    public let removed: Set<String>

    public init(adding key: StoredSigningKey?, removing ids: Set<String> = []) {
        added = key
        removed = ids
    }
}
