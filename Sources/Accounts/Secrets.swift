internal import Base
internal import Cryptography

/// The keys of one installation. All are derived from its configured secret, so a copy of the
/// database alone opens nothing.
///
/// While a secret is being changed there are those of the previous one, too, and afterwards its
/// keys for digests, as long as the database has digests of it: see
/// `Docs/internal/Decisions/0038-two-secrets.md`.
public struct Secrets: Sendable, Equatable {
    /// The purpose of a key. The raw value is part of the derivation and must never change.
    public enum KeyPurpose: String, Sendable, CaseIterable {
        case code, session, adminKey, formToken, receipt, mail, signingKey, hashKey, limit, recipient, confirmationNumber, mailSource,
            mailReport, knownNetwork, fingerprint, pendingSignIn, secondFactor, totpEnrollment, recoveryCode,
            clientSecret, providerVisit, pendingToken, refreshToken, formerKeys, verificationCode, temporaryProof, mergeSnapshot,
            accountMark,
            rowID = "place"

        /// Whether keys of this purpose find what is stored by its digest, so that they are kept
        /// after the secret was changed. Knowing such a key does not help anyone to make what has a
        /// given digest. The tag of a refresh token goes with the session that its token finds.
        fileprivate var findsStored: Bool {
            switch self {
            case .code, .rowID, .confirmationNumber, .session, .adminKey, .recoveryCode, .knownNetwork, .recipient, .mailReport,
                .refreshToken, .verificationCode:
                true
            case .formToken, .receipt, .mail, .signingKey, .hashKey, .limit, .mailSource, .fingerprint, .pendingSignIn, .secondFactor,
                .totpEnrollment, .clientSecret, .providerVisit, .pendingToken, .formerKeys, .temporaryProof,
                .mergeSnapshot, .accountMark:
                false
            }
        }
    }

    /// The number of a database's first secret.
    public static let firstNumber: UInt8 = 1

    /// The reason why a sealed value cannot be opened. The secret is not to blame: the database was
    /// asked for its fingerprint before.
    public enum OpenError: Error, Hashable, CustomStringConvertible {
        case damaged
        /// The value is damaged, or from before the secret was replaced.
        case damagedOrOlder

        public var description: String {
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

        init(_ bytes: SecretBytes) {
            self.bytes = bytes
            authentication = HMACKey(bytes, .sha256)
            encryption = ChaCha20Poly1305(key: bytes)
        }
    }

    private let keys: [KeyPurpose: Key]

    /// The number that sealed values and digests begin with. It tells the values of several secrets
    /// apart; the database assigns it (`Store.recognize`).
    public private(set) var number = Secrets.firstNumber

    /// The secrets from before, whose values can still be opened or found.
    public private(set) var former: [Secrets] = []

    /// Whether values may be in the database that were sealed with neither this secret nor a former
    /// one.
    public var hasPredecessor = false

    /// The keyed hash that lets a database recognize the secret that its values were made with.
    public var fingerprint: Digest {
        Digest(bytes: [Self.firstNumber] + authenticationCode(of: [], for: .fingerprint))
    }

    /// - Parameters:
    ///   - root: the configured secret, at least 32 random bytes.
    ///   - previous: the secret that it replaces.
    /// Source: RFC 5869 (HKDF-SHA256), one `info` per purpose.
    public init(root: [UInt8], previous: [UInt8]? = nil) {
        let root = SecretBytes(root)
        keys = Dictionary(
            uniqueKeysWithValues: KeyPurpose.allCases.map { purpose in
                let key = KeyDerivation.hkdfSHA256(
                    root, info: Array("onward \(purpose.rawValue)".utf8), count: ChaCha20Poly1305.keyByteCount)
                return (purpose, Key(key))
            })
        former = previous.map { [Secrets(root: $0)] } ?? []
    }

    /// These secrets with the number that the database has for them.
    public func numbered(_ number: UInt8, former: [Secrets]) -> Secrets {
        var numbered = self
        (numbered.number, numbered.former) = (number, former)
        return numbered
    }

    /// The digest under which a secret that was handed out (a code, a refresh token, an admin key)
    /// is stored, or which proves that this server made a message.
    public func digest(_ secret: [UInt8], for purpose: KeyPurpose) -> Digest {
        Digest(bytes: ownDigest(secret, key(purpose)), former: former.compactMap { $0.formerDigest(secret, for: purpose) })
    }

    private func ownDigest(_ secret: [UInt8], _ key: Key) -> [UInt8] { [number] + key.authentication.authenticate(secret) }

    private func formerDigest(_ secret: [UInt8], for purpose: KeyPurpose) -> [UInt8]? { keys[purpose].map { ownDigest(secret, $0) } }

    /// Whether `digest` is the digest of `message`. Compares in constant time.
    public func verifies(_ digest: [UInt8], of message: [UInt8], for purpose: KeyPurpose) -> Bool {
        guard let maker = maker(of: digest), maker.opens, let key = maker.keys[purpose] else { return false }
        return ConstantTime.equal(key.authentication.authenticate(message), digest.dropFirst())
    }

    /// Whether `digest` is the digest of `message`, also by a former secret whose digests are still
    /// looked for. Compares in constant time.
    func recognizes(_ digest: [UInt8], of message: [UInt8], for purpose: KeyPurpose) -> Bool {
        self.digest(message, for: purpose).candidates.contains { ConstantTime.equal($0.bytes, digest) }
    }

    /// The HMAC-SHA256 of a message, 32 bytes, for values that are neither stored nor handed out.
    public func authenticationCode(of message: [UInt8], for purpose: KeyPurpose) -> [UInt8] {
        key(purpose).authentication.authenticate(message)
    }

    /// Encrypts and authenticates a message. The result may be stored or handed to a browser.
    public func seal(_ plain: [UInt8], for purpose: KeyPurpose) -> [UInt8] { [number] + key(purpose).encryption.seal(plain) }

    /// Decrypts a message that `seal` made for the same purpose.
    public func open(_ sealed: [UInt8], for purpose: KeyPurpose) throws(OpenError) -> [UInt8] {
        try openKey(sealed, for: purpose).withUnsafeBytes(Array.init)
    }

    /// Seals a key.
    func seal(_ plain: SecretBytes, for purpose: KeyPurpose) -> [UInt8] { [number] + key(purpose).encryption.seal(plain) }

    /// Decrypts a key that `seal` made for the same purpose.
    func openKey(_ sealed: [UInt8], for purpose: KeyPurpose) throws(OpenError) -> SecretBytes {
        guard let maker = maker(of: sealed), maker.opens, let plain = maker.keys[purpose]?.encryption.openSecret(sealed.dropFirst()) else {
            throw hasPredecessor ? .damagedOrOlder : .damaged
        }
        return plain
    }

    public static func == (a: Self, b: Self) -> Bool { a.keys.mapValues(\.bytes) == b.keys.mapValues(\.bytes) && a.former == b.former }

    /// The secrets that made a digest or a sealed value; nil for those that are not known.
    public func maker(of value: some Sequence<UInt8>) -> Secrets? {
        let number = value.first { _ in true }
        return number == self.number ? self : former.first { $0.number == number }
    }

    /// Whether these are all keys of a secret, and not only those that find digests.
    public var opens: Bool { keys.count == KeyPurpose.allCases.count }

    private func key(_ purpose: KeyPurpose) -> Key { keys[purpose]! }
}

/// The change from one secret to another.
extension Secrets {
    /// Seals a value of a former secret again.
    public func reseal(_ sealed: [UInt8], for purpose: KeyPurpose) -> Resealing<[UInt8]> {
        guard sealed.first != number else { return .unneeded }
        guard let plain = try? openKey(sealed, for: purpose) else { return .impossible }
        return .resealed(seal(plain, for: purpose))
    }

    /// The keys for finding values of these secrets by their digest, sealed by the secrets that
    /// replace these.
    public func sealedDigestKeys(by successor: Secrets) -> [UInt8] {
        let lines = keys.filter(\.key.findsStored).map { purpose, key in
            "\(purpose.rawValue) \(Base64URL.encode(key.bytes.withUnsafeBytes(Array.init)))"
        }
        return successor.seal(Array(lines.sorted().joined(separator: "\n").utf8), for: .formerKeys)
    }

    /// Former secrets that only find what is stored by its digest; nil if `sealed` cannot be
    /// opened.
    /// - Parameter sealed: what `sealedDigestKeys` returned.
    public init?(digestKeys sealed: [UInt8], by successor: Secrets, number: UInt8) {
        guard let plain = try? successor.open(sealed, for: .formerKeys) else { return nil }
        let pairs = plain.split(separator: UInt8(ascii: "\n")).compactMap { line -> (KeyPurpose, Key)? in
            let words = String(decoding: line, as: UTF8.self).split(separator: " ").map(String.init)
            guard words.count == 2, let purpose = KeyPurpose(rawValue: words[0]), let key = Base64URL.decode(words[1]) else { return nil }
            return (purpose, Key(SecretBytes(key)))
        }
        keys = Dictionary(pairs) { first, _ in first }
        self.number = number
    }
}

/// The result of sealing a stored value again.
public enum Resealing<Value: Sendable>: Sendable {
    /// The value is sealed with the current secret, or not sealed.
    case unneeded
    case resealed(Value)
    /// The value is damaged, or sealed with a secret that is not known.
    case impossible

    public func map<Other: Sendable>(_ transform: (Value) -> Other) -> Resealing<Other> {
        switch self {
        case .unneeded: .unneeded
        case .resealed(let value): .resealed(transform(value))
        case .impossible: .impossible
        }
    }
}

/// A keyed hash as the store keeps it: the number of the secret, then 32 bytes that tell nothing
/// about what was hashed.
public struct Digest: Sendable, Hashable {
    public static let byteCount = 33
    public let bytes: [UInt8]
    /// The digests of the same by former secrets. What is looked for may be stored under any of
    /// them; what is stored now is stored under `bytes`.
    private let former: [[UInt8]]

    public init(bytes: [UInt8], former: [[UInt8]] = []) {
        self.bytes = bytes
        self.former = former
    }

    /// The digests to look for, that of the current secret first.
    public var candidates: [Digest] { [Digest(bytes: bytes)] + former.map { Digest(bytes: $0) } }
}
