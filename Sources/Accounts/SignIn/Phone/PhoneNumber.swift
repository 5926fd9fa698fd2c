/// A telephone number in the spelling under which accounts are found: E.164, which is `+` and 7 to
/// 15 digits, the first not zero.
///
/// Spaces, hyphens, dots and brackets are removed first, because people write them and Firebase
/// accepts them. Source: ITU-T E.164.
public struct PhoneNumber: Sendable, Hashable, CustomStringConvertible {
    public let value: String

    /// Nil if `text` is not such a number.
    public init?(_ text: String) {
        let written = text.utf8.filter { !" -.()".utf8.contains($0) }
        let digits = written.dropFirst()
        guard written.first == UInt8(ascii: "+"), (7...15).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        value = String(decoding: written, as: UTF8.self)
    }

    /// Nil if `text`, which a person or a program sent, is not such a number, or has the trunk
    /// prefix 0 after its calling code: `+49 0157…` reaches the phone of `+49 157…`, and a phone
    /// has one account. Use `init(_:)` for numbers of the store, which may be older than this rule.
    public init?(sent text: String) {
        self.init(text)
        guard !NumberingPlan(of: self).hasTrunkPrefix(self) else { return nil }
    }

    public var description: String { value }

    /// The number as someone may see it who need not know it: only the last two digits.
    public var masked: String { "+••• ••\(value.suffix(2))" }

    /// The ranges that the number is in, from the smallest: a thousand numbers, and a hundred
    /// thousand. Toll fraud buys whole ranges.
    public var ranges: [String] { [3, 5].map { String(value.dropLast($0)) } }
}
