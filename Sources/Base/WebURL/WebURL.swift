/// A parsed URL that all parsers understand alike, for continue URLs, app links and configuration.
///
/// It is parsed as browsers parse it (WHATWG). Input that browsers, RFC 3986 or Foundation
/// interpret differently is refused instead of repaired (`ParseError` lists the reasons), so the
/// parser is stricter than a browser. Source: https://url.spec.whatwg.org, RFC 3986; requirements
/// R2, R4, R5, R7, R8.
public struct WebURL: Sendable, Hashable {
    /// The scheme in lower case: `https`, `http`, or an app's such as `com.example.app`.
    public let scheme: String

    /// The host; nil only for an app's scheme without an authority (`myapp:///welcome`).
    public let host: Host?

    /// The port, never 0; nil for the scheme's default port.
    public let port: UInt16?

    /// The percent-encoded path without dot segments; at least `/` for http and https.
    public let path: String

    /// The percent-encoded query without its `?`, nil if there is none.
    public private(set) var query: String?

    /// The percent-encoded fragment without its `#`, nil if there is none.
    public let fragment: String?

    /// The largest size of the input and of `serialized`, which limits the work on hostile input
    /// (X11).
    public static let maxBytes = 8_000

    /// Parses an absolute URL.
    public init(_ input: String) throws(ParseError) {
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

        // Percent-encoding triples the size at most; beyond that only a host may grow, to 253
        // bytes, and an empty path, to one.
        guard 3 * input.utf8.count + 254 <= Self.maxBytes || serialized.utf8.count <= Self.maxBytes else { throw .tooLong }
    }

    /// The canonical form in ASCII, equal to what a browser would show. Onward emits no other (R2).
    public var serialized: String {
        origin + path + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// The canonical form without the slash of an empty path, if `?` or `#` follows it, as in
    /// `http://localhost?a=1`. A parser that takes all up to the next slash for the authority must
    /// not find another host, so the rest may contain no `@`, `/` or `\`; otherwise `serialized`.
    public var serializedWithoutLoneSlash: String {
        let rest = serialized.dropFirst(origin.count + 1)
        guard isWeb, path == "/", !rest.isEmpty, !rest.contains(where: { "@/\\".contains($0) }) else { return serialized }
        return origin + rest
    }

    /// `scheme://host`, with `:port` if it is not the default.
    public var origin: String {
        scheme + "://" + (host?.serialized ?? "") + (port.map { ":\($0)" } ?? "")
    }

    /// The port that a browser connects to; nil for an app's scheme.
    public var effectivePort: UInt16? {
        port ?? Self.defaultPort(of: scheme)
    }

    /// Whether the scheme is http or https, so that a browser rather than an app opens it.
    public var isWeb: Bool { effectivePort != nil }

    static func defaultPort(of scheme: String) -> UInt16? {
        switch scheme {
        case "https": 443
        case "http": 80
        default: nil
        }
    }
}

extension WebURL {
    /// Returns the URL with query parameters set: existing parameters with the same names are
    /// replaced, other parameters and the fragment are kept.
    public func appending(query items: [(name: String, value: String)]) -> WebURL {
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
    public var description: String { serialized }
}
