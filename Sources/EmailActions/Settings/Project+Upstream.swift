package import WebURL

/// Where the accounts and codes of a project live that are not Onward's own.
package struct UpstreamProject: Sendable, Hashable {
    /// Where the authorised domains come from.
    package enum Domains: Sendable {
        case file
        /// The upstream, which has not been read yet.
        case awaited
        /// The upstream, as it said last.
        case read
    }

    /// Where the paths of its Identity Toolkit begin, such as `https://identitytoolkit.googleapis.com`.
    package let base: WebURL
    package internal(set) var domains: Domains

    package init(base: WebURL, domains: Domains) {
        self.base = base
        self.domains = domains
    }
}

extension Project {
    /// Whether a code may be one of this project's, by its form alone (C15).
    package func mayHaveIssued(_ code: OobCode) -> Bool { self.upstream != nil || code.mayBeOwn }

    /// The same project with the domains that its upstream authorises. What the file says of app schemes and plain http stays.
    /// - Returns: also those that are no bare hosts, and so are left out.
    package func authorizing(_ hosts: [String]) -> (project: Project, refused: [String]) {
        let bare = hosts.filter { !$0.contains { "=:*[".contains($0) } }
        let (domains, refused) = self.authorizedDomains.replacingEntries(by: bare)
        var project = self
        project.authorizedDomains = domains
        project.upstream?.domains = .read
        return (project, refused.map(\.entry) + hosts.filter { !bare.contains($0) })
    }
}
