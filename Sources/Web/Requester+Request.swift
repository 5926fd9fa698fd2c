internal import EmailActions
internal import HTTPTypes
internal import WebURL

extension Request {
    /// The client of this request, for mails that it asks for.
    var requester: Requester { Requester(network: network, device: ClientDevice(userAgent: head.headerFields[.userAgent] ?? "")) }

    /// The IPv4 /24 or the IPv6 /56 of the client: what one subscriber or one small network has.
    private var network: String? {
        IPAddress(String(peer.prefix { $0 != "%" })).map {
            $0.bytes.prefix($0.isIPv6 ? 7 : 3).map(String.init).joined(separator: ".")
        }
    }
}

extension ClientDevice {
    /// The browser and the system that a `User-Agent` names; nil if it names neither. Only well-known
    /// names are recognised, so nothing of the field's text is repeated. Source: the tokens that
    /// the browsers' vendors document.
    init?(userAgent: String) {
        let text = userAgent.prefix(512)
        func name(_ names: KeyValuePairs<String, String>) -> String? { names.first { text.contains($0.key) }?.value }
        // Each browser also names those that it resembles, so the special names come first.
        let browser = name([
            "Edg/": "Edge", "EdgA/": "Edge", "EdgiOS/": "Edge", "OPR/": "Opera", "OPT/": "Opera", "SamsungBrowser/": "Samsung Internet",
            "Vivaldi/": "Vivaldi", "YaBrowser/": "Yandex", "DuckDuckGo/": "DuckDuckGo", "FxiOS/": "Firefox", "Firefox/": "Firefox",
            "CriOS/": "Chrome", "; wv)": "", "Chrome/": "Chrome", "Version/": "Safari",
        ])
        let system = name([
            "iPhone": "iPhone", "iPad": "iPad", "Android": "Android", "CrOS": "ChromeOS", "Windows": "Windows", "Macintosh": "macOS",
            "Linux": "Linux",
        ])
        guard browser != nil || system != nil else { return nil }
        self.init(browser: browser?.isEmpty == false ? browser : nil, system: system)
    }
}
