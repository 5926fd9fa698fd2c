/// An e-mail address in the spelling under which accounts are found.
///
/// Policy: the dot-atom form of RFC 5321 in ASCII, at least one dot in the domain or `localhost`,
/// lower-cased. Quoted local parts, comments, address literals and non-ASCII addresses are refused,
/// so that no similar address reaches another account (B7, B8). So are encoded words (`=?…?…?=`),
/// because mail programs and servers decode them and find another address there (M6).
package struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    package let value: String

    /// Nil if `text` is not such an address. Passes over the bytes once, because the store reads
    /// every address this way (D10).
    package init?(_ text: String) {
        var text = text
        let isAddress = text.withUTF8 { bytes in
            guard bytes.count <= 254, let at = bytes.firstIndex(of: UInt8(ascii: "@")), (1...64).contains(at) else { return false }
            return Self.isDotAtom(bytes[..<at]) && Self.isDomain(bytes[(at + 1)...])
        }
        guard isAddress else { return nil }
        value = text.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? text.lowercased() : text
    }

    /// The address in a form that only a person who knows it recognises: `a•••@example.com`.
    package var masked: String {
        let parts = value.split(separator: "@", maxSplits: 1)
        return "\(parts[0].prefix(1))•••@\(parts[1])"
    }

    package var description: String { value }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static func isDotAtom(_ bytes: Bytes) -> Bool {
        var (isAfterDot, previous, isInWord) = (true, UInt8(ascii: "."), false)
        for byte in bytes {
            if byte == UInt8(ascii: "?") {
                guard !isInWord else { return false }
                isInWord = previous == UInt8(ascii: "=")
            }
            previous = byte
            switch UnicodeScalar(byte) {
            case ".":
                guard !isAfterDot else { return false }
                isAfterDot = true
            case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", "/", "=", "?", "^", "_", "`", "{", "|", "}",
                "~":
                isAfterDot = false
            default: return false
            }
        }
        return !isAfterDot
    }

    /// Source: RFC 5321 section 4.1.2, labels of RFC 1035: 1 to 63 letters, digits and inner
    /// hyphens; 253 in all.
    private static func isDomain(_ bytes: Bytes) -> Bool {
        guard bytes.count <= 253 else { return false }
        var (dots, length, digits, endsInHyphen) = (0, 0, 0, false)
        for byte in bytes {
            switch UnicodeScalar(byte) {
            case ".":
                guard length > 0, !endsInHyphen else { return false }
                (dots, length, digits) = (dots + 1, 0, 0)
                continue
            case "0"..."9": digits += 1
            case "a"..."z", "A"..."Z": break
            case "-": guard length > 0 else { return false }
            default: return false
            }
            endsInHyphen = byte == UInt8(ascii: "-")
            length += 1
            guard length <= 63 else { return false }
        }
        guard length > 0, !endsInHyphen, digits < length else { return false }
        return dots > 0 || String(decoding: bytes, as: UTF8.self).lowercased() == "localhost"
    }
}
