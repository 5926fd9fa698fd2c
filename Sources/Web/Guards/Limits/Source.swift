internal import WebURL

/// Where a request comes from, as limits count it: an IPv4 address, also in its IPv6 form, or the /64 that one subscriber has (B6).
struct Source: Sendable, Hashable, CustomStringConvertible {
    let description: String

    /// - Parameter peer: the client's numeric address, after trusted proxies.
    init(_ peer: String) {
        // IPv4 has one spelling, which is this one.
        guard peer.utf8.contains(UInt8(ascii: ":")) else {
            description = peer
            return
        }
        // A zone names an interface of this machine, not of the client.
        let address = IPAddress(String(peer.prefix { $0 != "%" }))
        description = address.map { $0.bytes.prefix($0.isIPv6 ? 8 : 4).map(String.init).joined(separator: ".") } ?? peer
    }
}
