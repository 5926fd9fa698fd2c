internal import WebURL

/// The source of a request, as limits count it: the networks that its address is in, because the
/// holder of one of them has all smaller ones inside (B6, V2).
struct Source: Sendable, Hashable, CustomStringConvertible {
    /// From the smallest: an IPv4 address, also in its IPv6-mapped form, and its /24; or the IPv6
    /// /64, /56 and /48, what a host, a household and a company have.
    let networks: [String]

    /// The smallest network.
    var description: String { networks[0] }

    /// The network that one subscriber has: the IPv4 /24 or the IPv6 /56.
    var subscriber: String { networks.dropFirst().first ?? networks[0] }

    /// The network by which a returning user is recognised: the IPv4 /24 or the IPv6 /64.
    var home: String { networks.count == 2 ? networks[1] : networks[0] }

    /// The largest network.
    var widest: String { networks.last ?? networks[0] }

    /// - Parameter peer: the client's numeric address, after trusted proxies.
    init(_ peer: String) {
        // A zone names an interface of this machine, not the client.
        guard let address = IPAddress(Substring(peer.utf8.prefix { $0 != UInt8(ascii: "%") })) else {
            networks = [peer]
            return
        }
        let numbers = address.bytes.map(String.init)
        networks = (address.isIPv6 ? [8, 7, 6] : [4, 3]).map { numbers[..<$0].joined(separator: ".") }
    }
}
