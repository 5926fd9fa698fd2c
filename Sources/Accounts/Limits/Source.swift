internal import Base

/// The source of a request, as limits count it: the networks that its address is in, because the
/// holder of one of them has all smaller ones inside (B6, V2).
public struct Source: Sendable, Hashable, CustomStringConvertible {
    /// From the smallest: an IPv4 address, also in its IPv6-mapped form, and its /24; or the IPv6
    /// /64, /56 and /48, what a host, a household and a company have.
    let networks: [String]

    /// The smallest network.
    public var description: String { networks[0] }

    /// The part of the largest network that one client has: the IPv4 address or the IPv6 /56.
    public var client: String { networks.dropLast().last ?? networks[0] }

    /// The network that one subscriber has: the IPv4 /24 or the IPv6 /56.
    public var subscriber: String { networks.dropFirst().first ?? networks[0] }

    /// The network that a returning user is recognised by: the IPv4 /24 or the IPv6 /64.
    public var home: String { networks.count == 2 ? networks[1] : networks[0] }

    /// The largest network.
    public var widest: String { networks.last ?? networks[0] }

    /// - Parameter peer: the client's numeric address, after trusted proxies.
    public init(_ peer: String) {
        // A zone names an interface of this machine, not the client.
        guard let address = IPAddress(Substring(peer.utf8.prefix { $0 != UInt8(ascii: "%") })) else {
            networks = [peer]
            return
        }
        // Without an array of its numbers, because this runs for most requests.
        let lengths = address.isIPv6 ? 6...8 : 3...4
        var (networks, network): ([String], String) = ([], "")
        for (length, byte) in zip(1...lengths.upperBound, address.bytes) {
            if length > 1 { network += "." }
            network += String(byte)
            if lengths.contains(length) { networks.append(network) }
        }
        self.networks = networks.reversed()
    }
}
