/// A valid `host[:port]` of a Host field or an absolute target, without user information.
/// Source: RFC 3986 §3.2, RFC 9112 §3.2.
struct Authority: Equatable {
    let text: String

    init?(_ bytes: UnsafeBytes) {
        let hostEnd: Int
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            guard Self.isAddressLiteral(bytes.part(1..<bracket)) else { return nil }
            hostEnd = bracket + 1
        } else {
            hostEnd = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            guard Self.isName(bytes.part(..<hostEnd)) else { return nil }
        }
        guard Self.isPort(bytes.part(hostEnd...)) else { return nil }
        text = bytes.text
    }

    /// Compares without regard to case. Source: RFC 3986 §6.2.2.1.
    static func == (left: Authority, right: Authority) -> Bool { left.text.lowercased() == right.text.lowercased() }

    private static func isName(_ name: UnsafeBytes) -> Bool {
        guard name.isAll(Grammar.hostName) else { return false }
        return name.indices.allSatisfy { index in
            guard name[index] == UInt8(ascii: "%") else { return true }
            return index + 2 < name.count && name[index + 1].hexValue != nil && name[index + 2].hexValue != nil
        }
    }

    /// Whether the characters are those of an IPv6 literal. The address itself is not parsed, since
    /// the host is only compared with configured ones.
    private static func isAddressLiteral(_ address: UnsafeBytes) -> Bool {
        address.contains(UInt8(ascii: ":"))
            && address.allSatisfy { $0.hexValue != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
    }

    /// Whether `suffix` is empty, a colon, or a colon and a port number.
    private static func isPort(_ suffix: UnsafeBytes) -> Bool {
        guard let colon = suffix.first else { return true }
        let digits = suffix.part(1...)
        guard colon == UInt8(ascii: ":"), digits.count <= 5, digits.allSatisfy(\.isDigit) else { return false }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } <= 65_535
    }
}
