import Accounts
import Base
import Foundation
import HTTPServer
import Yams

extension ListenAddress {
    /// The default address of `serve`, for a reverse proxy on the same machine.
    static let standard = ListenAddress(host: "127.0.0.1", port: 8080)

    /// Parses `127.0.0.1:8080` or `[::1]:8080`. Host names are refused, since their address may
    /// change.
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
    /// A list of addresses to listen on.
    /// - Parameter orNone: whether the list may be empty.
    func addresses(orNone: Bool = false) throws(SettingError) -> [ListenAddress] {
        let addresses = try list { item throws(SettingError) in try item.address() }
        guard orNone || node.sequence?.isEmpty == false else { throw SettingError("expected at least one address") }
        return addresses
    }

    /// The addresses of the admin listener: loopback or private, and not on a port of `listen`.
    /// With two sockets on one port, the kernel prefers the more specific address, so that a proxy
    /// could forward public requests to the admin listener.
    func adminAddresses(besides listen: [ListenAddress]) throws(SettingError) -> [ListenAddress] {
        try list { item throws(SettingError) in
            let address = try item.address()
            guard IPAddress(address.host)?.isPrivate == true else {
                throw SettingError(
                    "this address gives admin access, so it must be loopback or private: in 127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, "
                        + "192.168.0.0/16, 100.64.0.0/10, ::1 or fc00::/7")
            }
            guard address.port == 0 || !listen.contains(where: { $0.port == address.port }) else {
                throw SettingError("the port \(address.port) is used by listen; expected a separate port")
            }
            return address
        }
    }

    private func address() throws(SettingError) -> ListenAddress {
        guard let address = ListenAddress(try text()) else {
            throw SettingError("expected an IP address and a port up to 65535, such as 127.0.0.1:8080 or \"[::]:8080\"")
        }
        // Port 0 may be given several times: the system chooses a different one each time.
        if address.port != 0 { try findings.claim(address.description, as: "address", by: self) }
        return address
    }

    /// A duration; nil for `forever`.
    func retention() throws(SettingError) -> Duration? {
        if isWord("forever") { return nil }
        do throws(SettingError) { return try span(in: .days(1)...(.days(3650))) } catch {
            throw SettingError("\(error.sentence), or forever")
        }
    }

    func addressRange() throws(SettingError) -> AddressRange {
        guard let range = AddressRange(try text()) else { throw SettingError("expected an IP address, or a range such as 10.0.0.0/8") }
        return range
    }

    /// An https URL, or an http URL with a loopback host (L4).
    func webURL() throws(SettingError) -> WebURL {
        let text = try text()
        do throws(InsecureURL) { return try WebURL(secure: text) } catch { throw SettingError(error.sentence) }
    }

    /// A URL with scheme, host and port only.
    func origin() throws(SettingError) -> WebURL {
        let url = try webURL()
        guard url.path == "/", url.query == nil, url.fragment == nil else {
            throw SettingError("expected an origin, such as https://auth.example.com, without a path")
        }
        return url
    }
}

extension String {
    func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}
