public import Base

/// A range of IP addresses in CIDR notation, such as `10.0.0.0/8`, or a single address.
public struct AddressRange: Sendable, Hashable {
    private let prefix: IPAddress
    private let prefixLength: Int

    /// Parses a range; nil if it is malformed or has bits set behind the prefix, which is
    /// ambiguous.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { return nil }
        let all = address.bytes.count * 8
        guard let bits = parts.count == 1 ? all : Int(parts[1]), (0...all).contains(bits) else { return nil }
        guard (bits..<all).allSatisfy({ address.bytes[$0 / 8] & (0x80 >> ($0 % 8)) == 0 }) else { return nil }
        (prefix, prefixLength) = (address, bits)
    }

    /// Whether it has every address of its family.
    var isEverything: Bool { prefixLength == 0 }

    func contains(_ address: IPAddress) -> Bool {
        guard address.bytes.count == prefix.bytes.count else { return false }
        return (0..<prefixLength).allSatisfy { (address.bytes[$0 / 8] ^ prefix.bytes[$0 / 8]) & (0x80 >> ($0 % 8)) == 0 }
    }
}

extension IPAddress {
    /// Whether the address is loopback or private. Link-local addresses are not included, because
    /// they are ambiguous without an interface. Source: RFC 1918, RFC 4193, RFC 6598.
    public var isLocal: Bool { isLoopback || Self.privateRanges.contains { $0.contains(self) } }

    private static let privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"]
        .compactMap { AddressRange($0) }
}
