/// An IPv4 or IPv6 address.
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// Four or sixteen bytes, in network order.
    public let bytes: [UInt8]

    public var isIPv6: Bool { bytes.count == 16 }

    /// Whether the address is in 127.0.0.0/8 or is ::1.
    public var isLoopback: Bool { isIPv6 ? bytes == [UInt8](repeating: 0, count: 15) + [1] : bytes[0] == 127 }

    /// Whether the address is one of a private network. Source: RFC 1918, RFC 4193.
    public var isPrivate: Bool {
        isIPv6
            ? bytes[0] & 0xFE == 0xFC
            : bytes[0] == 10 || bytes[0] == 172 && bytes[1] & 0xF0 == 16 || bytes[0] == 192 && bytes[1] == 168
    }

    /// Reads a literal without zone, brackets or port. An IPv4-mapped IPv6 address, such as
    /// `::ffff:192.0.2.1`, is read as the IPv4 address, because that is the peer the kernel means.
    public init?(_ text: some StringProtocol) {
        let text = Substring(text)
        guard let address = IPAddress(ipv4: text) ?? IPAddress(ipv6: text) else { return nil }
        let isMapped = address.isIPv6 && address.bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])
        bytes = isMapped ? Array(address.bytes[12...]) : address.bytes
    }

    /// Reads four decimal numbers. Octal, hexadecimal and short forms are refused, because readers
    /// differ in what they mean (R7).
    init?(ipv4 text: Substring) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            guard part.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), part.count == 1 || part.first != UInt8(ascii: "0"),
                let byte = UInt8(Substring(part))
            else { return nil }
            bytes.append(byte)
        }
        self.bytes = bytes
    }

    /// Reads an IPv6 address. Source: RFC 4291 section 2.2.
    init?(ipv6 text: Substring) {
        guard text.utf8.count <= 45 else { return nil }
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        switch halves.count {
        case 1:
            guard let all = Self.groups(of: halves[0]), all.count == 16 else { return nil }
            bytes = all
        case 2:
            guard let head = halves[0].isEmpty ? [] : Self.groups(of: halves[0], endsAddress: false),
                let tail = halves[1].isEmpty ? [] : Self.groups(of: halves[1]),
                head.count + tail.count < 16
            else { return nil }
            bytes = head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
        default: return nil
        }
    }

    /// The bytes of groups with colons between them. An IPv4 address may take the place of the last
    /// two groups of an address.
    private static func groups(of text: Substring, endsAddress: Bool = true) -> [UInt8]? {
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if endsAddress, index == parts.count - 1, part.contains(".") {
                guard let address = IPAddress(ipv4: part) else { return nil }
                bytes += address.bytes
            } else {
                guard part.utf8.count <= 4, part.unicodeScalars.allSatisfy(\.isASCIIHexDigit), let group = UInt16(part, radix: 16) else {
                    return nil
                }
                bytes += [UInt8(group >> 8), UInt8(group & 0xFF)]
            }
        }
        return bytes
    }

    /// The canonical text: decimal for IPv4; for IPv6 lower case, with the first longest run of at
    /// least two zero groups as `::`. Source: RFC 5952 section 4.
    public var description: String {
        guard isIPv6 else { return bytes.map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let hex = groups.map { String($0, radix: 16) }
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > max(longest.count, 1) { longest = start..<index }
            start = index + 1
        }
        guard !longest.isEmpty else { return hex.joined(separator: ":") }
        return hex[..<longest.lowerBound].joined(separator: ":") + "::" + hex[longest.upperBound...].joined(separator: ":")
    }
}
