internal import AppLinks
internal import EmailActions
internal import WebURL

/// The authorities that Onward serves; requests for others are misdirected (L2).
struct Hosts: Sendable {
    private let own: Set<String>
    private let linkDomains: [String: LinkDomain]
    private let answersToLoopback: Bool

    /// - Parameter answersToLoopback: whether `localhost`, `127.0.0.1` and `[::1]` are served on
    ///   every port, as in development.
    init(origin: WebURL, projects: Projects, answersToLoopback: Bool) {
        own = Self.authorities(of: origin)
        linkDomains = Dictionary(
            projects.all.flatMap(\.linkDomains).flatMap { domain in Self.authorities(of: domain.linksURL).map { ($0, domain) } }
        ) { first, _ in first }
        self.answersToLoopback = answersToLoopback
    }

    /// Whether the pages and the API are served here.
    func isOwn(_ authority: String) -> Bool {
        own.contains(authority) || answersToLoopback && Self.isLoopback(authority)
    }

    func linkDomain(_ authority: String) -> LinkDomain? { linkDomains[authority] }

    /// The authorities of a URL: if its port is the scheme's default, with and without it.
    private static func authorities(of url: WebURL) -> Set<String> {
        let host = url.host?.serialized ?? ""
        let named = "\(host):\(url.effectivePort ?? 0)"
        return url.port == nil ? [host, named] : [named]
    }

    private static func isLoopback(_ authority: String) -> Bool {
        ["localhost", "127.0.0.1", "[::1]"].contains { authority == $0 || authority.hasPrefix($0 + ":") }
    }
}
