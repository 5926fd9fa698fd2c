/// IPv4 in its one safe spelling; octal, hexadecimal and short forms are read differently by different readers (R7).
enum IPv4 {
    static func address(of text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard part.unicodeScalars.allSatisfy(\.isASCIIDigit), part.count == 1 || part.first != "0", let byte = UInt8(part) else {
                return nil
            }
            address = address << 8 | UInt32(byte)
        }
        return address
    }

    static func text(of address: UInt32) -> String {
        [24, 16, 8, 0].map { String(address >> $0 & 0xFF) }.joined(separator: ".")
    }
}

/// IPv6 without zones. Source: RFC 4291, 2.2; RFC 5952, 4
enum IPv6 {
    static func groups(of text: Substring) -> [UInt16]? {
        guard text.utf8.count <= 45 else { return nil }
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        switch halves.count {
        case 1:
            guard let all = run(halves[0]), all.count == 8 else { return nil }
            return all
        case 2:
            guard let head = halves[0].isEmpty ? [] : run(halves[0], endsAddress: false),
                let tail = halves[1].isEmpty ? [] : run(halves[1]),
                head.count + tail.count < 8
            else { return nil }
            return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
        default: return nil
        }
    }

    /// Groups between colons; an IPv4 address may stand for the last two of an address.
    private static func run(_ text: Substring, endsAddress: Bool = true) -> [UInt16]? {
        var groups: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if endsAddress, index == parts.count - 1, part.contains(".") {
                guard let address = IPv4.address(of: part) else { return nil }
                groups += [UInt16(address >> 16), UInt16(address & 0xFFFF)]
            } else {
                guard part.utf8.count <= 4, part.unicodeScalars.allSatisfy(\.isASCIIHexDigit), let group = UInt16(part, radix: 16) else {
                    return nil
                }
                groups.append(group)
            }
        }
        return groups
    }

    /// Lower case; the first longest run of at least two zero groups becomes `::`.
    static func text(of groups: [UInt16]) -> String {
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
