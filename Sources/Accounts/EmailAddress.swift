/// An address that mail can be sent to, in the one spelling under which accounts are found.
///
/// Policy: the dot-atom form of RFC 5321 in ASCII, at least one dot in the domain or `localhost`, lower-cased. Quoted local
/// parts, comments, address literals and non-ASCII addresses are refused, so that no look-alike reaches another's account (B7, B8).
package struct EmailAddress: Sendable, Hashable, CustomStringConvertible {
    package let value: String

    /// Nil when `text` is not such an address.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 254, let at = bytes.firstIndex(of: UInt8(ascii: "@")), (1...64).contains(at),
            Self.isDotAtom(bytes[..<at]), Self.isDomain(bytes[(at + 1)...])
        else { return nil }
        value = text.lowercased()
    }

    /// For a person who knows it and nobody else: `a•••@example.com`.
    package var masked: String {
        let parts = value.split(separator: "@", maxSplits: 1)
        return "\(parts[0].prefix(1))•••@\(parts[1])"
    }

    package var description: String { value }

    private static let specials = Set("!#$%&'*+-/=?^_`{|}~".utf8)

    private static func isDotAtom(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .allSatisfy { !$0.isEmpty && $0.allSatisfy { isLetterOrDigit($0) || specials.contains($0) } }
    }

    /// Source: RFC 5321 section 4.1.2, labels of RFC 1035: 1 to 63 letters, digits and inner hyphens; 253 in all.
    private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        let labels = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let named = labels.count > 1 || String(decoding: bytes, as: UTF8.self).lowercased() == "localhost"
        let numeric = labels.last?.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? true
        return bytes.count <= 253 && named && !numeric
            && labels.allSatisfy {
                (1...63).contains($0.count) && $0.first != hyphen && $0.last != hyphen
                    && $0.allSatisfy { isLetterOrDigit($0) || $0 == hyphen }
            }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }
}
