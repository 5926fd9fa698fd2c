import Base

/// The URLs that Onward may redirect users to: the project's authorised domains. They are checked
/// when a code is issued and again when it is used (R9). The rule is Firebase's with safer
/// defaults; requirements R1, R3, R6, R7, R8, R13.
///
/// An entry is a bare host, as in Firebase's console:
/// - `example.com` covers itself and every sub-domain; `=example.com` covers only itself;
/// - `localhost`, `127.0.0.1` and `[::1]` cover only themselves, with plain http and any port
///   allowed;
/// - `example.com:8443` covers that port instead of the default one, `example.com:*` covers every
///   port.
///
/// Entries allow https. Plain http to other machines has a separate list with the same grammar, so
/// that it is not allowed by accident. App URLs (`com.example.app://welcome`) are allowed if their
/// scheme is registered.
public struct AuthorizedDomains: Sendable {
    var entries: [Entry]
    let plainHTTP: [Entry]
    let appSchemes: Set<String>
    /// Whether every custom scheme that an app may register counts as registered, in development.
    public var acceptsEveryAppScheme = false
    /// Whether the hosts of phones, emulators and containers of a developer are covered, with plain
    /// http and any port.
    public var acceptsPrivateHosts = false

    /// Reads the lists of the configuration.
    /// - Parameters:
    ///   - entries: the hosts allowed with https, and with http if they are on this machine.
    ///   - schemes: the custom schemes of the registered apps.
    ///   - plainHTTP: the hosts on other machines allowed with http; https to them needs an entry
    ///     as well.
    /// - Throws: the first entry whose effect differs from what it appears to say.
    public init(_ entries: [String], schemes: [String] = [], plainHTTP: [String] = []) throws(BadEntry) {
        self.entries = try entries.map { text throws(BadEntry) in try Entry(text) }
        self.plainHTTP = try plainHTTP.map { text throws(BadEntry) in try Entry(text) }
        if let bad = schemes.first(where: { !WebURL.isAppScheme($0) }) { throw BadEntry(bad, .notAnAppScheme) }
        appSchemes = Set(schemes)
    }

    /// The rule that allows a URL, as written in the configuration.
    func rule(admitting url: WebURL) throws(NotAuthorized) -> String {
        guard let host = url.host, let port = url.effectivePort else {
            guard acceptsEveryAppScheme || appSchemes.contains(url.scheme) else { throw .scheme(url.scheme, entryThatWouldAllow: nil) }
            return url.scheme + "://"
        }
        let isPlain = url.scheme == "http"
        func covers(_ entry: Entry) -> Bool { entry.covers(host, port: port, isDefault: url.port == nil) }
        let local = entries.first { (!isPlain || $0.host.isLoopback) && covers($0) }
        if let entry = local ?? (isPlain ? plainHTTP.first(where: covers) : nil) { return entry.text }
        if acceptsPrivateHosts, host.isPrivate { return host.serialized }

        let remedy = Entry.text(covering: host, port: url.port)
        if isPlain, !host.isLoopback, let remedy { throw .scheme("http", entryThatWouldAllow: remedy) }
        throw .notListed(host: host.serialized, entryThatWouldAllow: remedy)
    }
}

extension WebURL.Host {
    /// Whether only machines of a private network have the host: RFC 1918, RFC 4193, RFC 6761
    /// section 6.3, RFC 6762, and the name of a container's host.
    fileprivate var isPrivate: Bool {
        switch self {
        case .domain(let name): name.hasSuffix(".localhost") || name.hasSuffix(".local") || name == "host.docker.internal"
        case .address(let address): address.isPrivate
        case .opaque: false
        }
    }
}

extension AuthorizedDomains {
    /// The hosts of the entries, as Firebase's project configuration lists them. SDKs compare the
    /// host of the page they run on with this list.
    public var hosts: [String] {
        var seen: Set<String> = []
        return entries.map(\.host.serialized).filter { seen.insert($0).inserted }
    }

    /// The entries as written in the configuration, for callers that edit them.
    public var texts: [String] { entries.map(\.text) }
}
