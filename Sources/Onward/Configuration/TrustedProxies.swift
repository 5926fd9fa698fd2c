import WebURL

/// The proxies in front of Onward: the only ones who may say for whom they ask.
struct TrustedProxies: Sendable, Hashable {
    let ranges: [AddressRange]

    /// Nobody stands in front: whoever connects is the client.
    static let none = TrustedProxies(ranges: [])

    /// The client's address: the last in `X-Forwarded-For` that no trusted proxy has. What stands before it, anyone may have written.
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
