internal import AppLinks
internal import Base

/// The one-time secret in a link. Onward's codes are 32 bytes, written as 43 characters of
/// base64url: 24 random bytes (C1), and eight bytes with the encrypted row id, which can only
/// be read with the secret of the installation (decision 19).
public struct OobCode: Sendable, Hashable {
    public let text: String
    /// The decoded bytes; nil for a code that only an upstream can have created.
    private let bytes: [UInt8]?

    private static let randomCount = 24

    /// Creates a new code for a row.
    init(rowID: Int64, random: RandomBytes, keyedBy secrets: Secrets) {
        let random = random(Self.randomCount)
        let bytes = random + Self.veiled(rowID, by: random, keyedBy: secrets).bigEndianBytes
        (self.bytes, text) = (bytes, Base64URL.encode(bytes))
    }

    /// Reads one of Onward's codes; nil if the text cannot be one (C15).
    public init?(_ text: String) {
        guard let bytes = Self.ownBytes(of: text) else { return nil }
        self.bytes = bytes
        self.text = text
    }

    /// Reads a code of any authority; nil if no authority creates such codes. Firebase's codes have
    /// 54 characters of base64url, which need not be whole bytes.
    public init?(ofAnyAuthority text: String) {
        bytes = Self.ownBytes(of: text)
        guard bytes != nil || (20...512).contains(text.utf8.count) && text.utf8.allSatisfy(Base64URL.isInAlphabet) else { return nil }
        self.text = text
    }

    /// Whether the form of the code is that of Onward's codes.
    public var mayBeOwn: Bool { bytes != nil }

    /// Whether the code has the length of a complete one. If not, it was cut, or something was
    /// added to it.
    public var isComplete: Bool {
        let lengths = ActionParameter.codeLengths
        return [lengths.own, lengths.firebase].contains(text.utf8.count)
    }

    /// The key for finding this code in the store (C2). For a code that Onward did not create, the
    /// row id is arbitrary, and the lookup finds nothing.
    public func key(by secrets: Secrets) -> CodeKey {
        let bytes = bytes ?? Array(text.utf8)
        let (random, veiled) = (bytes.prefix(Self.randomCount), bytes.dropFirst(Self.randomCount).prefix(8))
        let rowID = Self.veiled(Int64(bigEndianBytes: veiled), by: Array(random), keyedBy: secrets)
        return CodeKey(rowID: rowID, digest: secrets.digest(bytes, for: .code), former: secrets.former.map { key(by: $0) })
    }

    /// The keyed hash that Onward records for an upstream's code. It includes the project, because
    /// codes of two projects may be equal (C10).
    public func digest(in project: ProjectID, keyedBy secrets: Secrets) -> Digest {
        secrets.digest(Array("upstream \(project) \(text)".utf8), for: .code)
    }

    /// The number of digits in a confirmation number.
    static let numberLength = 4

    /// The four digits that the mail of a link shows, and its page once the code has ended. A
    /// program that presses buttons does not know them.
    /// - Parameter stored: the stored code, which a former secret may have made; nil for a new one.
    public func confirmationNumber(by secrets: Secrets, of stored: StoredCode? = nil) -> String {
        let maker = stored.flatMap { secrets.maker(of: $0.key.digest.bytes) } ?? secrets
        let code = maker.authenticationCode(of: bytes ?? Array(text.utf8), for: .confirmationNumber)
        let number = code.prefix(4).reduce(0) { $0 << 8 | Int($1) } % 10_000
        return String(repeating: "0", count: Self.numberLength - String(number).count) + String(number)
    }

    private static func ownBytes(of text: String) -> [UInt8]? {
        text.utf8.count == ActionParameter.codeLengths.own ? Base64URL.decode(text) : nil
    }

    /// Converts a row id to a random-looking number, and back.
    private static func veiled(_ rowID: Int64, by random: [UInt8], keyedBy secrets: Secrets) -> Int64 {
        rowID ^ Int64(bigEndianBytes: secrets.authenticationCode(of: random, for: .rowID).prefix(8))
    }
}

/// The key for finding a code in the store.
public struct CodeKey: Sendable, Hashable {
    /// The row id, which grows with time, so that codes that are live at the same time are
    /// stored close together.
    public let rowID: Int64
    /// The keyed hash that the row must have (C2).
    public let digest: Digest
    /// The keys of the same code by former secrets, under which it may be stored instead.
    public let former: [CodeKey]

    public init(rowID: Int64, digest: Digest, former: [CodeKey] = []) {
        self.rowID = rowID
        self.digest = digest
        self.former = former
    }
}

extension Int64 {
    fileprivate init(bigEndianBytes bytes: some Sequence<UInt8>) { self = bytes.reduce(0) { $0 << 8 | Int64($1) } }
    fileprivate var bigEndianBytes: [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: self >> (56 - 8 * $0)) } }
}
