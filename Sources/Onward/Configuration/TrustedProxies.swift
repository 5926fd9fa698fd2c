import WebURL

/// The reverse proxies whose `X-Forwarded-For` is used.
struct TrustedProxies: Sendable, Hashable {
    let ranges: [AddressRange]

    /// No trusted proxies: the peer of a connection is the client.
    static let none = TrustedProxies(ranges: [])

    /// The address of the client: the last one in `X-Forwarded-For` that is not a trusted proxy.
    /// Earlier ones may be forged.
    func client(behind peer: String, forwardedFor field: String?) -> String {
        guard let field, isTrusted(peer) else { return peer }
        let hops = field.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        var client = peer
        for hop in hops.reversed() {
            guard IPAddress(hop) != nil else { break }
            client = hop
            guard isTrusted(hop) else { break }
        }
        return client
    }

    private func isTrusted(_ text: String) -> Bool {
        guard let address = IPAddress(text) else { return false }
        return ranges.contains { $0.contains(address) }
    }
}
