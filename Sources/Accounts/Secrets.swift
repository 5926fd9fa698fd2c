internal import Cryptography

/// The keys of one installation. All are derived from its configured secret, so a copy of the
/// database alone opens nothing.
package struct Secrets: Sendable, Equatable {
    /// The purpose of a key. The raw value is part of the derivation and must never change.
    package enum KeyPurpose: String, Sendable, CaseIterable {
        case code, session, adminKey, formToken, receipt, mail, signingKey, hashKey, limit, rowID = "place"
    }

    /// Thrown when something that was sealed with another secret, or that is damaged, is opened.
    package struct NotOurs: Error, Sendable {}

    /// The key of one purpose, prepared for each use: preparing takes longer than a short message
    /// does.
    private struct Key: Sendable {
        let bytes: SecretBytes
        let authentication: HMACKey
        let encryption: ChaCha20Poly1305
    }

    private let keys: [KeyPurpose: Key]

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

    /// The keyed hash under which a secret that was handed out (a code, a refresh token, an admin
    /// key) is stored. 32 bytes.
    package func digest(_ secret: [UInt8], for purpose: KeyPurpose) -> Digest {
        Digest(bytes: key(purpose).authentication.authenticate(secret))
    }

    /// Whether `mac` is the keyed hash of `message`. Compares in constant time.
    package func verifies(_ mac: [UInt8], of message: [UInt8], for purpose: KeyPurpose) -> Bool {
        ConstantTime.equal(key(purpose).authentication.authenticate(message), mac)
    }

    /// Encrypts and authenticates a message. The result may be stored or handed to a browser.
    package func seal(_ plain: [UInt8], for purpose: KeyPurpose) -> [UInt8] { key(purpose).encryption.seal(plain) }

    /// Decrypts a message that `seal` made for the same purpose.
    package func open(_ sealed: [UInt8], for purpose: KeyPurpose) throws(NotOurs) -> [UInt8] {
        guard let plain = key(purpose).encryption.open(sealed) else { throw NotOurs() }
        return plain
    }

    /// Seals a key.
    func seal(_ plain: SecretBytes, for purpose: KeyPurpose) -> [UInt8] { key(purpose).encryption.seal(plain) }

    /// Opens what is itself a key.
    func openKey(_ sealed: [UInt8], for purpose: KeyPurpose) throws(NotOurs) -> SecretBytes {
        guard let plain = key(purpose).encryption.openSecret(sealed) else { throw NotOurs() }
        return plain
    }

    package static func == (a: Self, b: Self) -> Bool { a.keys.mapValues(\.bytes) == b.keys.mapValues(\.bytes) }

    private func key(_ purpose: KeyPurpose) -> Key { keys[purpose]! }
}

/// A keyed hash as the store keeps it: 32 bytes that tell nothing about what was hashed.
package struct Digest: Sendable, Hashable {
    package let bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}
