import Base

/// The reverse proxies whose `X-Forwarded-For` is used.
public struct TrustedProxies: Sendable, Hashable {
    let ranges: [AddressRange]

    /// No trusted proxies: the peer of a connection is the client.
    static let none = TrustedProxies(ranges: [])

    /// The address of the client: the last one in `X-Forwarded-For` that is not a trusted proxy.
    /// Earlier ones may be forged.
    public func client(behind peer: String, forwardedFor field: String?) -> String {
        guard let field, isTrusted(peer) else { return peer }
        var client = peer
        // From the end, because a client may begin the field with thousands of hops.
        var rest = field[...]
        while true {
            let comma = rest.utf8.lastIndex(of: UInt8(ascii: ","))
            let hop = rest[(comma.map { rest.utf8.index(after: $0) } ?? rest.startIndex)...].filter { $0 != " " && $0 != "\t" }
            if !hop.isEmpty {
                guard let address = Self.address(of: hop) else { break }
                client = address
                guard isTrusted(address) else { break }
            }
            guard let comma else { break }
            rest = rest[..<comma]
        }
        return client
    }

    /// The address of a hop, which some proxies write with a port: `203.0.113.9:1234` or
    /// `[2001:db8::1]:443`.
    private static func address(of hop: String) -> String? {
        if IPAddress(hop) != nil { return hop }
        guard let match = hop.wholeMatch(of: #/(?:\[([0-9A-Fa-f:.]+)\]|([0-9.]+))(?::[0-9]{1,5})?/#) else { return nil }
        let address = String(match.1 ?? match.2 ?? "")
        return IPAddress(address) == nil ? nil : address
    }

    /// Whether an address is that of a trusted proxy.
    public func isTrusted(_ text: String) -> Bool {
        guard let address = IPAddress(text) else { return false }
        return ranges.contains { $0.contains(address) }
    }
}
