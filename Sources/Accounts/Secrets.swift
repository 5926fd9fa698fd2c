internal import Crypto
internal import Foundation

/// The keys of one installation, all derived from its one configured secret, so that a copy of the database alone opens nothing.
package struct Secrets: Sendable, Equatable {
    /// What a key is for. The raw value is part of the derivation and must never change.
    package enum Purpose: String, Sendable, CaseIterable {
        case code, session, adminKey, formToken, receipt, mail, signingKey, hashKey, limit, rowID = "place"
    }

    /// Thrown when something sealed by another secret, or damaged, is opened.
    package struct NotOurs: Error, Sendable {}

    private let keys: [Purpose: SymmetricKey]
    /// Begun with each key, which takes longer than a short message does.
    private let begun: [Purpose: HMAC<SHA256>]

    /// - Parameter root: at least 32 random bytes.
    /// Source: RFC 5869 (HKDF-SHA256), one `info` per purpose.
    package init(root: [UInt8]) {
        let root = SymmetricKey(data: root)
        let keys = Dictionary(
            uniqueKeysWithValues: Purpose.allCases.map {
                ($0, HKDF<SHA256>.deriveKey(inputKeyMaterial: root, info: Data("onward \($0.rawValue)".utf8), outputByteCount: 32))
            })
        self.keys = keys
        begun = keys.mapValues { HMAC(key: $0) }
    }

    /// The keyed hash under which a secret handed out (a code, a refresh token, an admin key) is stored. 32 bytes.
    package func digest(_ secret: [UInt8], for purpose: Purpose) -> Digest {
        Digest(bytes: code(of: secret, for: purpose).withUnsafeBytes { Array($0) })
    }

    /// Whether `mac` is the keyed hash of `message`; takes the same time whatever differs.
    package func verifies(_ mac: [UInt8], of message: [UInt8], for purpose: Purpose) -> Bool {
        code(of: message, for: purpose) == mac
    }

    /// Encrypts and authenticates; what comes out may be stored or handed to a browser.
    package func seal(_ plain: [UInt8], for purpose: Purpose) throws -> [UInt8] {
        Array(try ChaChaPoly.seal(plain, using: key(purpose)).combined)
    }

    package func open(_ sealed: [UInt8], for purpose: Purpose) throws(NotOurs) -> [UInt8] {
        do {
            return Array(try ChaChaPoly.open(ChaChaPoly.SealedBox(combined: sealed), using: key(purpose)))
        } catch { throw NotOurs() }
    }

    package static func == (a: Self, b: Self) -> Bool { a.keys == b.keys }

    private func code(of message: [UInt8], for purpose: Purpose) -> HMAC<SHA256>.MAC {
        var code = begun[purpose]!
        message.withUnsafeBytes { code.update(data: $0) }
        return code.finalize()
    }

    private func key(_ purpose: Purpose) -> SymmetricKey { keys[purpose]! }
}

/// A keyed hash as the store keeps it: 32 bytes that tell nothing of what was hashed.
package struct Digest: Sendable, Hashable {
    package let bytes: [UInt8]
    package init(bytes: [UInt8]) { self.bytes = bytes }
}
