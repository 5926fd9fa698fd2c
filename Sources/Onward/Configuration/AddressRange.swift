import WebURL

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

extension IPAddress {
    /// Whether only this machine, or only a network that is not the internet, can send to it. Link-local addresses are neither: they
    /// mean another machine on every link. Source: RFC 1918, RFC 4193, RFC 6598.
    var isPrivate: Bool { isLoopback || Self.privateRanges.contains { $0.contains(self) } }

    private static let privateRanges = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"]
        .compactMap { AddressRange($0) }
}
