public import Base

/// A host of this server whose links phones open in the app, such as `links.example.com` or
/// `localhost:9000`.
public struct LinkDomain: Sendable {
    /// `https://<authority>/__/auth/links`; http for loopback hosts only (L4), and in development.
    public let linksURL: WebURL
    /// `https://<authority>/`, likewise.
    private let rootURL: WebURL
    /// `https://<authority>`, likewise.
    public let origin: String

    /// Parses `host` or `host:port` of the configuration.
    /// - Parameter isPlain: whether its links have http on every host, as in development.
    public init(_ authority: String, isPlain: Bool = false) throws(WebURL.ParseError) {
        guard !authority.unicodeScalars.contains(where: { $0 == "/" || $0 == "?" || $0 == "#" }) else { throw .hostCharacter }
        let isLoopback = try WebURL("https://" + authority).host?.isLoopback == true
        let start = (isPlain || isLoopback ? "http://" : "https://") + authority
        linksURL = try WebURL(start + AppLink.LinkForm.hosting.path)
        rootURL = try WebURL(start + AppLink.LinkForm.dynamicLinks.path)
        origin = linksURL.origin
    }

    /// The URL of links without their parameters.
    func url(in form: AppLink.LinkForm) -> WebURL {
        switch form {
        case .hosting: linksURL
        case .dynamicLinks: rootURL
        }
    }

    /// `host` or `host:port`, in canonical form.
    public var authority: String { String(origin.drop { $0 != "/" }.dropFirst(2)) }

    /// Whether a URL has the origin of this domain.
    public func covers(_ url: WebURL) -> Bool { url.origin == origin }
}

/// The origin says everything. Each request for a link looks its domain up several times.
extension LinkDomain: Hashable {
    public static func == (a: LinkDomain, b: LinkDomain) -> Bool { a.origin == b.origin }

    public func hash(into hasher: inout Hasher) { hasher.combine(origin) }
}
