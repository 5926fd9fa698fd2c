internal import Cryptography

/// The keys of one installation. All are derived from its configured secret, so a copy of the
/// database alone opens nothing.
package struct Secrets: Sendable, Equatable {
    /// The purpose of a key. The raw value is part of the derivation and must never change.
    package enum KeyPurpose: String, Sendable, CaseIterable {
        case code, session, adminKey, formToken, receipt, mail, signingKey, hashKey, limit, recipient, confirmationNumber, mailSource,
            mailReport, knownNetwork, fingerprint, pendingSignIn, secondFactor, totpEnrollment, recoveryCode,
            clientSecret, providerVisit, pendingToken,
            verificationCode, temporaryProof,
            rowID = "place"
    }

    /// The number of the configured secret, with which sealed values and stored digests begin.
    /// There is one number today; it lets a later version tell the values of two secrets apart.
    package static let keyNumber: UInt8 = 1

    /// The reason why a sealed value cannot be opened. The secret is not to blame: the database was
    /// asked for its fingerprint before.
    package enum OpenError: Error, Hashable, CustomStringConvertible {
        case damaged
        /// The value is damaged, or from before the secret was replaced.
        case damagedOrOlder

        package var description: String {
            switch self {
            case .damaged: "it is damaged"
            case .damagedOrOlder: "it is damaged, or from before the secret was replaced"
            }
        }
    }

    /// The key of one purpose, prepared for each use: preparing takes longer than a short message
    /// does.
    private struct Key: Sendable {
        let bytes: SecretBytes
        let authentication: HMACKey
        let encryption: ChaCha20Poly1305
    }

    private let keys: [KeyPurpose: Key]

    /// Whether the database had another secret before, so that values of that one may be in it.
    package var hasPredecessor = false

    /// The keyed hash by which a database recognizes the secret that its values were made with.
    package var fingerprint: Digest { digest([], for: .fingerprint) }

    /// - Parameter root: the configured secret, at least 32 random bytes.
    /// Source: RFC 5869 (HKDF-SHA256), one `info` per purpose.
    package init(root: [UInt8]) {
        let root = SecretBytes(root)
        keys = Dictionary(
            uniqueKeysWithValues: KeyPurpose.allCases.map { purpose in
                let key = KeyDerivation.hkdfSHA256(
                    root, info: Array("onward \(purpose.rawValue)".utf8), count: ChaCha20Poly1305.keyByteCount)
                return (purpose, Key(bytes: key, authentication: HMACKey(key, .sha256), encryption: ChaCha20Poly1305(key: key)))
            })
    }

    /// The digest under which a secret that was handed out (a code, a refresh token, an admin key)
    /// is stored, or which proves that this server made a message.
    package func digest(_ secret: [UInt8], for purpose: KeyPurpose) -> Digest {
        Digest(bytes: [Self.keyNumber] + authenticationCode(of: secret, for: purpose))
    }

    /// Whether `digest` is the digest of `message`. Compares in constant time.
    package func verifies(_ digest: [UInt8], of message: [UInt8], for purpose: KeyPurpose) -> Bool {
        digest.first == Self.keyNumber && ConstantTime.equal(authenticationCode(of: message, for: purpose), digest.dropFirst())
    }

    /// The HMAC-SHA256 of a message, 32 bytes, for values that are neither stored nor handed out.
    package func authenticationCode(of message: [UInt8], for purpose: KeyPurpose) -> [UInt8] {
        key(purpose).authentication.authenticate(message)
    }

    /// Encrypts and authenticates a message. The result may be stored or handed to a browser.
    package func seal(_ plain: [UInt8], for purpose: KeyPurpose) -> [UInt8] {
        [Self.keyNumber] + key(purpose).encryption.seal(plain)
    }

    /// Decrypts a message that `seal` made for the same purpose.
    package func open(_ sealed: [UInt8], for purpose: KeyPurpose) throws(OpenError) -> [UInt8] {
        try openKey(sealed, for: purpose).withUnsafeBytes(Array.init)
    }

    /// Seals a key.
    func seal(_ plain: SecretBytes, for purpose: KeyPurpose) -> [UInt8] {
        [Self.keyNumber] + key(purpose).encryption.seal(plain)
    }

    /// Decrypts a key that `seal` made for the same purpose.
    func openKey(_ sealed: [UInt8], for purpose: KeyPurpose) throws(OpenError) -> SecretBytes {
        guard sealed.first == Self.keyNumber, let plain = key(purpose).encryption.openSecret(sealed.dropFirst()) else {
            throw hasPredecessor ? .damagedOrOlder : .damaged
        }
        return plain
    }

    package static func == (a: Self, b: Self) -> Bool { a.keys.mapValues(\.bytes) == b.keys.mapValues(\.bytes) }

    private func key(_ purpose: KeyPurpose) -> Key { keys[purpose]! }
}

/// A keyed hash as the store keeps it: the key number, then 32 bytes that tell nothing about what
/// was hashed.
package struct Digest: Sendable, Hashable {
    package static let byteCount = 33
    package let bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}
