import WebURL

/// Where Onward may send a person on to: the project's authorised domains, checked when a code is issued and again when
/// it is used (R9). Firebase's rule with safer defaults; requirements R1, R3, R6, R7, R8, R13.
///
/// An entry is a bare host, as in Firebase's console:
/// - `example.com` covers itself and every sub-domain; `=example.com` only itself;
/// - `localhost`, `127.0.0.1` and `[::1]` cover only themselves, and there plain http and any port are fine;
/// - `example.com:8443` covers that port instead of the default one, `example.com:*` covers every port.
///
/// Entries admit https. Plain http beyond this machine has a list of its own, of the same grammar, so that nobody
/// allows it in passing. URLs of apps (`com.example.app://welcome`) are admitted by their registered scheme.
package struct AuthorizedDomains: Sendable {
    let entries: [Entry]
    let plainHTTP: [Entry]
    let appSchemes: Set<String>

    init(entries: [Entry], plainHTTP: [Entry], appSchemes: Set<String>) {
        self.entries = entries
        self.plainHTTP = plainHTTP
        self.appSchemes = appSchemes
    }

    /// - Parameters:
    ///   - entries: hosts to which https may lead, and http on this machine.
    ///   - schemes: the custom schemes of the registered apps.
    ///   - plainHTTP: hosts elsewhere to which http may lead; https to them needs an entry as well.
    /// - Throws: the first entry that says more, less or something else than it seems to.
    package init(_ entries: [String], schemes: [String] = [], plainHTTP: [String] = []) throws(BadEntry) {
        self.entries = try entries.map { text throws(BadEntry) in try Entry(text) }
        self.plainHTTP = try plainHTTP.map { text throws(BadEntry) in try Entry(text) }
        if let bad = schemes.first(where: { !WebURL.isAppScheme($0) }) { throw BadEntry(bad, .notAnAppScheme) }
        appSchemes = Set(schemes)
    }

    /// The rule by which a URL is admitted, as it is written in the configuration.
    func rule(admitting url: WebURL) throws(NotAuthorized) -> String {
        guard let host = url.host, let port = url.effectivePort else {
            guard appSchemes.contains(url.scheme) else { throw .scheme(url.scheme, entryThatWouldAllow: nil) }
            return url.scheme + "://"
        }
        let isPlain = url.scheme == "http"
        func covers(_ entry: Entry) -> Bool { entry.covers(host, port: port, isDefault: url.port == nil) }
        let local = entries.first { (!isPlain || $0.host.isLoopback) && covers($0) }
        if let entry = local ?? (isPlain ? plainHTTP.first(where: covers) : nil) { return entry.text }

        let remedy = Entry.text(covering: host, port: url.port)
        if isPlain, !host.isLoopback, let remedy { throw .scheme("http", entryThatWouldAllow: remedy) }
        throw .notListed(host: host.serialized, entryThatWouldAllow: remedy)
    }
}
