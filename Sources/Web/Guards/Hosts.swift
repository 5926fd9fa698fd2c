internal import Accounts
internal import AppLinks
internal import Base

/// The authorities that Onward serves; requests for others are misdirected (L2).
struct Hosts: Sendable {
    private let own: Set<String>
    private let linkDomains: [String: LinkDomain]
    private let development: DevelopmentHosts?

    /// - Parameter development: the further hosts that are served in development, on every port.
    init(origin: WebURL, projects: Projects, development: DevelopmentHosts?) {
        own = Self.authorities(of: origin)
        linkDomains = Dictionary(
            projects.all.flatMap(\.linkDomains).flatMap { domain in Self.authorities(of: domain.linksURL).map { ($0, domain) } }
        ) { first, _ in first }
        self.development = development
    }

    /// Whether the pages and the API are served here.
    func isOwn(_ authority: String) -> Bool {
        own.contains(authority) || development?.contains(authority) == true
    }

    func linkDomain(_ authority: String) -> LinkDomain? { linkDomains[authority] }

    /// The authorities of a URL: if its port is the scheme's default, with and without it.
    private static func authorities(of url: WebURL) -> Set<String> {
        let host = url.host?.serialized ?? ""
        let named = "\(host):\(url.effectivePort ?? 0)"
        return url.port == nil ? [host, named] : [named]
    }
}
