import Accounts
import Foundation
import HTTPServer
import Web
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
    func addresses() throws(Fault) -> [ListenAddress] {
        let addresses = try list { item throws(Fault) in
            guard let address = ListenAddress(try item.text()) else {
                throw Fault("expected an IP address and a port, such as 127.0.0.1:8080 or \"[::]:8080\"")
            }
            try item.findings.claim(address.description, as: "address", by: item)
            return address
        }
        guard node.sequence?.isEmpty == false else { throw Fault("expected at least one address") }
        return addresses
    }

    func addressRange() throws(Fault) -> AddressRange {
        guard let range = AddressRange(try text()) else { throw Fault("expected an IP address, or a range such as 10.0.0.0/8") }
        return range
    }

    /// An https URL, or an http one that stays on this machine (L4).
    func webURL() throws(Fault) -> WebURL {
        let text = try text()
        let url: WebURL
        do throws(WebURL.Unreadable) { url = try WebURL(text) } catch { throw Fault("expected a URL. \(error.explanation)") }
        guard url.scheme == "https" || url.scheme == "http" && url.host?.isLoopback == true else {
            throw Fault("expected https://; plain http is for localhost only")
        }
        return url
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
