internal import WebURL

/// The source of a request, as limits count it: an IPv4 address, also in its IPv6-mapped form, or
/// the IPv6 /64 that one subscriber has (B6).
struct Source: Sendable, Hashable, CustomStringConvertible {
    let description: String

    /// - Parameter peer: the client's numeric address, after trusted proxies.
    init(_ peer: String) {
        // IPv4 addresses have one spelling.
        guard peer.utf8.contains(UInt8(ascii: ":")) else {
            description = peer
            return
        }
        // A zone names an interface of this machine, not the client.
        let address = IPAddress(String(peer.prefix { $0 != "%" }))
        description = address.map { $0.bytes.prefix($0.isIPv6 ? 8 : 4).map(String.init).joined(separator: ".") } ?? peer
    }
}
