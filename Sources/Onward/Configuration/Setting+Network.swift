import Accounts
import EmailActions
import Foundation
import HTTPServer
import WebURL
import Yams

extension ListenAddress {
    /// Where `serve` listens unless told otherwise: on this machine, for a proxy in front of it.
    static let standard = ListenAddress(host: "127.0.0.1", port: 8080)

    /// Reads `127.0.0.1:8080` or `[::1]:8080`; nil for anything else. Only numeric addresses: a name may resolve to another tomorrow.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard let address = IPAddress(isBracketed ? String(host.dropFirst().dropLast()) : String(host)), address.isIPv6 == isBracketed
        else { return nil }
        self.init(host: isBracketed ? String(host.dropFirst().dropLast()) : String(host), port: port)
    }
}

extension Setting {
    /// - Parameter orNone: whether the list may be empty.
    func addresses(orNone: Bool = false) throws(Fault) -> [ListenAddress] {
        let addresses = try list { item throws(Fault) in try item.address() }
        guard orNone || node.sequence?.isEmpty == false else { throw Fault("expected at least one address") }
        return addresses
    }

    /// Where reaching the server is being admin: not the internet, and not what `listen` listens on. Of two sockets on one port the
    /// kernel gives a connection to the one with the more exact address, and a proxy in front would bring the public there.
    func adminAddresses(besides listen: [ListenAddress]) throws(Fault) -> [ListenAddress] {
        try list { item throws(Fault) in
            let address = try item.address()
            guard IPAddress(address.host)?.isPrivate == true else {
                throw Fault(
                    "whoever reaches this address is admin, so it must be loopback or private: in 127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, "
                        + "192.168.0.0/16, 100.64.0.0/10, ::1 or fc00::/7")
            }
            guard address.port == 0 || !listen.contains(where: { $0.port == address.port }) else {
                throw Fault("the port \(address.port) is in listen already; this needs one of its own")
            }
            return address
        }
    }

    private func address() throws(Fault) -> ListenAddress {
        guard let address = ListenAddress(try text()) else {
            throw Fault("expected an IP address and a port, such as 127.0.0.1:8080 or \"[::]:8080\"")
        }
        // The system chooses another one each time for port 0.
        if address.port != 0 { try findings.claim(address.description, as: "address", by: self) }
        return address
    }

    /// A duration, or nil for `forever`.
    func retention() throws(Fault) -> Duration? {
        if node.scalar?.string == "forever" { return nil }
        do throws(Fault) { return try span(in: .days(1)...(.days(3650))) } catch { throw Fault("\(error.sentence), or forever") }
    }

    func addressRange() throws(Fault) -> AddressRange {
        guard let range = AddressRange(try text()) else { throw Fault("expected an IP address, or a range such as 10.0.0.0/8") }
        return range
    }

    /// An https URL, or an http one that stays on this machine (L4).
    func webURL() throws(Fault) -> WebURL {
        let text = try text()
        do throws(InsecureURL) { return try WebURL(secure: text) } catch { throw Fault(error.sentence) }
    }

    /// Scheme, host and port, and nothing behind them.
    func origin() throws(Fault) -> WebURL {
        let url = try webURL()
        guard url.path == "/", url.query == nil, url.fragment == nil else {
            throw Fault("expected an origin, such as https://auth.example.com, without a path")
        }
        return url
    }
}

extension String {
    func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}
