/// The id of a mail, which is the local part of its Message-ID and the same for each attempt (M3).
/// Newer mails have greater ids.
public struct MailID: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: Int64

    public init(rawValue: Int64) { self.rawValue = rawValue }

    /// Reads the text of an id; nil if it is not one.
    public init?(_ text: String) {
        guard text.utf8.count == Self.digits, let number = Int64(text, radix: 16), number >= 0 else { return nil }
        rawValue = number
    }

    private static let digits = 16

    /// Sixteen hexadecimal digits.
    public var description: String {
        let digits = String(rawValue, radix: 16)
        return String(repeating: "0", count: max(0, Self.digits - digits.utf8.count)) + digits
    }
}
