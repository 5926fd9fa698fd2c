import Foundation

/// An IP address as the kernel has it: four bytes or sixteen.
struct IPAddress: Sendable, Hashable {
    let bytes: [UInt8]
    var isIPv6: Bool { bytes.count == 16 }
    /// Whether it stays on this machine.
    var isLoopback: Bool { isIPv6 ? bytes == [UInt8](repeating: 0, count: 15) + [1] : bytes[0] == 127 }

    /// Whether only this machine, or only a network that is not the internet, can send to it. Link-local addresses are neither: they
    /// mean another machine on every link. Source: RFC 1918, RFC 4193, RFC 6598.
    var isPrivate: Bool { isLoopback || Self.privateRanges.contains { $0.contains(self) } }
    private static let privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"].compactMap {
        AddressRange($0)
    }

    /// Reads a literal as `inet_pton` does, without zone or port; an IPv4 address inside IPv6 becomes the former.
    init?(_ text: String) {
        var (v4, v6) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: &v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            let all = withUnsafeBytes(of: &v6) { Array($0) }
            let isMapped = all.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff])
            bytes = isMapped ? Array(all[12...]) : all
        } else {
            return nil
        }
    }
}

/// Addresses that begin with the same bits, written `10.0.0.0/8`; without a slash, a single one.
struct AddressRange: Sendable, Hashable {
    private let first: IPAddress
    private let bits: Int

    /// Nil for anything else, and for one with bits set beyond its length, which says two things at once.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { return nil }
        let all = address.bytes.count * 8
        guard let bits = parts.count == 1 ? all : Int(parts[1]), (0...all).contains(bits) else { return nil }
        guard (bits..<all).allSatisfy({ address.bytes[$0 / 8] & (0x80 >> ($0 % 8)) == 0 }) else { return nil }
        (first, self.bits) = (address, bits)
    }

    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == first.bytes.count else { return false }
        return (0..<bits).allSatisfy { (address.bytes[$0 / 8] ^ first.bytes[$0 / 8]) & (0x80 >> ($0 % 8)) == 0 }
    }
}
