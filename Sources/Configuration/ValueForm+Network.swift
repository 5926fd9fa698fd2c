import Accounts
import Base
public import HTTPServer

extension ListenAddress {
    /// The default address of `serve`, for a reverse proxy on the same machine.
    public static let standard = ListenAddress(host: "127.0.0.1", port: 8080)

    /// Parses `127.0.0.1:8080` or `[::1]:8080`. Host names are refused, since their address may
    /// change.
    public init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        let bare = isBracketed ? String(host.dropFirst().dropLast()) : String(host)
        guard let address = IPAddress(bare), address.isIPv6 == isBracketed else { return nil }
        self.init(host: bare, port: port)
    }
}

extension ValueForm<ListenAddress> {
    static var listenAddress: ValueForm {
        .text("an IP address and a port up to 65535, such as 127.0.0.1:8080 or \"[::]:8080\"", written: \.description) {
            ListenAddress($0)
        }.checked { address, setting in
            // Port 0 may be given several times: the system chooses a different one each time.
            if address.port != 0 { try setting.context.claim(address.description, as: "address", by: setting) }
        }
    }

    /// A loopback or private address.
    static func privateAddress(because reason: String) -> ValueForm {
        listenAddress.checked { address, _ in
            guard IPAddress(address.host)?.isLocal != true else { return }
            throw SettingError(
                "\(reason), so it must be loopback or private: in 127.0.0.0/8, 10.0.0.0/8, 172.16.0.0/12, "
                    + "192.168.0.0/16, 100.64.0.0/10, ::1 or fc00::/7")
        }
    }
}

extension ValueForm<AddressRange> {
    static var proxyRange: ValueForm {
        .text("an IP address, or a range such as 10.0.0.0/8") { AddressRange($0) }.checked { range, _ in
            guard range.isEverything else { return }
            throw SettingError("trusts every client to say which address it has; expected the addresses of your proxies")
        }
    }
}

extension ValueForm<WebURL> {
    /// An https URL, or an http URL with a loopback host (L4).
    static var webURL: ValueForm { ValueForm<String>.text.map { try WebURL(secure: $0) } }

    /// A URL with scheme, host and port only.
    static var origin: ValueForm {
        webURL.checked { url, _ in
            guard url.path != "/" || url.query != nil || url.fragment != nil else { return }
            throw SettingError("expected an origin, such as https://auth.example.com, without a path")
        }
    }
}

extension ValueForm<String> {
    /// An address to write to, or a page, as it is published.
    static var contact: ValueForm {
        text.map { text in
            let address = text.wholeMatch(of: /mailto:(.+)/).flatMap { EmailAddress(String($0.1)) }
            if let address, address.value.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) { return "mailto:\(address.value)" }
            let page = try? WebURL(secure: text)
            guard let page, page.scheme == "https" else {
                throw SettingError("expected mailto: and an address, such as mailto:security@example.com, or an https URL")
            }
            return page.serialized
        }
    }
}

extension WebURL {
    func withoutQuery() throws(SettingError) -> WebURL {
        guard query == nil, fragment == nil else { throw SettingError("expected a URL without ? and #") }
        return self
    }
}

extension String {
    public func trimmingSuffix(_ suffix: String) -> String { hasSuffix(suffix) ? String(dropLast(suffix.count)) : self }
}
