package import Accounts

/// The one-time secret in a link. Onward's own are 32 bytes, written as 43 characters of base64url: 24 random ones (C1), and eight that
/// tell, to whoever has the secret of the installation, where the store keeps the code (decision 19).
package struct OobCode: Sendable, Hashable {
    package let text: String
    /// Nil for what only an upstream can have made.
    private let bytes: [UInt8]?

    private static let randomCount = 24

    /// A fresh one.
    init(rowID: Int64, random: RandomBytes, keyedBy secrets: Secrets) {
        let random = random(Self.randomCount)
        let bytes = random + Self.veiled(rowID, by: random, keyedBy: secrets).bigEndianBytes
        (self.bytes, text) = (bytes, Base64URL.encode(bytes))
    }

    /// Nil for anything that can never have been a code of Onward's own (C15).
    package init?(_ text: String) {
        guard let bytes = Self.ownBytes(of: text) else { return nil }
        self.bytes = bytes
        self.text = text
    }

    /// Nil for anything that no authority makes: Firebase's are 54 letters of base64url, which need not be whole bytes.
    package init?(ofAnyAuthority text: String) {
        bytes = Self.ownBytes(of: text)
        guard bytes != nil || (20...512).contains(text.utf8.count) && text.utf8.allSatisfy(Base64URL.isInAlphabet) else { return nil }
        self.text = text
    }

    /// Whether Onward may have made it itself.
    package var mayBeOwn: Bool { bytes != nil }

    /// What the store knows this code by (C2). One that Onward has not made leads anywhere, where it is not found.
    package func key(by secrets: Secrets) -> CodeKey {
        let bytes = bytes ?? Array(text.utf8)
        let (random, veiled) = (bytes.prefix(Self.randomCount), bytes.dropFirst(Self.randomCount).prefix(8))
        let rowID = Self.veiled(Int64(bigEndianBytes: veiled), by: Array(random), keyedBy: secrets)
        return CodeKey(rowID: rowID, digest: secrets.digest(bytes, for: .code))
    }

    /// The keyed hash by which Onward remembers a code of a project's upstream: another project's may read alike (C10).
    package func digest(in project: ProjectID, keyedBy secrets: Secrets) -> Digest {
        secrets.digest(Array("upstream \(project) \(text)".utf8), for: .code)
    }

    private static func ownBytes(of text: String) -> [UInt8]? { text.utf8.count == 43 ? Base64URL.decode(text) : nil }

    /// Makes a place look random, and the other way round.
    private static func veiled(_ rowID: Int64, by random: [UInt8], keyedBy secrets: Secrets) -> Int64 {
        rowID ^ Int64(bigEndianBytes: secrets.authenticationCode(of: random, for: .rowID).prefix(8))
    }
}

/// What the store knows a code by.
package struct CodeKey: Sendable, Hashable {
    /// The number of its row, which grows with time: codes that are live together lie together.
    package let rowID: Int64
    /// The keyed hash that the row must have (C2).
    package let digest: Digest

    package init(rowID: Int64, digest: Digest) {
        self.rowID = rowID
        self.digest = digest
    }
}

extension Int64 {
    fileprivate init(bigEndianBytes bytes: some Sequence<UInt8>) { self = bytes.reduce(0) { $0 << 8 | Int64($1) } }
    fileprivate var bigEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) } }
}
