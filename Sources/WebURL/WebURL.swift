/// A URL that every reader understands alike: the one parser behind continue URLs, app links and configuration.
///
/// It reads as a browser does (WHATWG), and refuses, rather than repairs, whatever browsers, RFC 3986 and
/// Foundation read differently (`Unreadable` lists it). So it is stricter than a browser and never looser.
/// Source: https://url.spec.whatwg.org, RFC 3986; requirements R2, R4, R5, R7, R8.
package struct WebURL: Sendable, Hashable {
    /// Lower case. `https`, `http`, or the scheme of an app such as `com.example.app`.
    package let scheme: String

    /// Where the URL leads; nil only for an app's scheme without an authority (`myapp:///welcome`).
    package let host: Host?

    /// nil stands for the scheme's default port; never 0.
    package let port: UInt16?

    /// Percent-encoded, without dot segments; at least `/` for http and https.
    package let path: String

    /// Percent-encoded, without its `?`; nil where there is none.
    package private(set) var query: String?

    /// Percent-encoded, without its `#`; nil where there is none.
    package let fragment: String?

    /// The bound on input and serialisation, in bytes; it keeps the work on hostile input small (X11).
    package static let maxBytes = 8_000

    /// Reads an absolute URL; throws the reason why not everyone would read it the same way.
    package init(_ input: String) throws(Unreadable) {
        var rest = try Self.screened(input)
        scheme = try Self.readScheme(&rest)
        let isWeb = Self.defaultPort(of: scheme) != nil
        let slashes = rest.prefix { $0 == "/" }.count
        guard slashes >= 2 else { throw .missingSlashes }
        guard slashes == 2 || !isWeb else { throw .extraSlashes }
        rest = rest.dropFirst(2)

        let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        rest = rest[authority.endIndex...]
        (host, port) = try isWeb ? Self.readAuthority(authority, scheme: scheme) : (Self.readAppAuthority(authority), nil)

        let (beforeFragment, fragment) = Self.cut(rest, at: "#")
        let (beforeQuery, query) = Self.cut(beforeFragment, at: "?")
        self.fragment = fragment.map(PercentEncoding.fragment.encode)
        self.query = query.map((isWeb ? PercentEncoding.query : .appQuery).encode)
        let path = Self.withoutDotSegments(PercentEncoding.path.encode(beforeQuery))
        self.path = isWeb && path.isEmpty ? "/" : path

        // Encoded, a byte becomes three at most; what grows otherwise are hosts, to 253 characters, and a path of none, to one.
        guard 3 * input.utf8.count + 254 <= Self.maxBytes || serialized.utf8.count <= Self.maxBytes else { throw .tooLong }
    }

    /// The canonical form, the only one that leaves Onward (R2): ASCII, byte for byte what a browser would show.
    package var serialized: String {
        origin + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// `scheme://host`, and `:port` where it is not the default.
    package var origin: String {
        scheme + "://" + (host?.serialized ?? "") + (port.map { ":\($0)" } ?? "")
    }

    /// The port a browser connects to; nil for an app's scheme.
    package var effectivePort: UInt16? {
        port ?? Self.defaultPort(of: scheme)
    }

    /// Whether a browser opens it, rather than an app.
    package var isWeb: Bool { effectivePort != nil }

    static func defaultPort(of scheme: String) -> UInt16? {
        switch scheme {
        case "https": 443
        case "http": 80
        default: nil
        }
    }
}

extension WebURL {
    /// Sets query parameters, to hand something on to the next page: equal names that are there already give way,
    /// other parameters and the fragment stay as they are.
    package func appending(query items: [(name: String, value: String)]) -> WebURL {
        guard !items.isEmpty else { return self }
        let names = Set(items.map(\.name))
        let kept = Self.pairs(in: query ?? "").filter { !names.contains(Self.formDecoded($0).name) }.map(String.init)
        let added = items.map { Self.percentEncoded($0.name) + "=" + Self.percentEncoded($0.value) }
        var url = self
        url.query = (kept + added).joined(separator: "&")
        return url
    }
}

extension WebURL: CustomStringConvertible {
    package var description: String { serialized }
}
