public import AppLinks
public import Base

/// The reason why an app link is refused. Its page names what was refused; there is no redirect.
public enum AppLinkRefusal: Error, Sendable, Hashable {
    case unreadable(WebURL.ParseError)
    case malformed(AppLink.FormatError)
    /// The URL of a parameter leads to a host that the project has not authorised.
    case notAuthorized(AppLink.Parameter, host: String?, AuthorizedDomains.NotAuthorized)

    /// A sentence for operators: what was refused, and what would allow it.
    public var explanation: String {
        switch self {
        case .unreadable(let error): error.explanation
        case .malformed(let error): error.explanation
        case .notAuthorized(let parameter, _, let error): "The parameter \(parameter.rawValue) is refused. " + error.explanation
        }
    }
}

extension Project {
    /// Parses and checks a link on one of the project's link domains. Its URLs may lead to the
    /// action page, to authorised domains and to the store pages of registered apps (R1, R14), and
    /// have to be well-formed. Other parameters may contain anything, such as a `%` alone (L7).
    public func approve(appLink text: String) throws(AppLinkRefusal) -> ApprovedAppLink {
        try approve(appLink(text))
    }

    /// Checks the link behind a short link as if it had been opened itself, so that removing an app
    /// or a domain ends it.
    /// - Parameter query: the parameters of the short link's URL.
    public func approve(_ stored: ShortLink, visitedWith query: [(name: String, value: String)]) throws(AppLinkRefusal) -> ApprovedAppLink {
        try approve(appLink(stored.link).visited(with: query))
    }

    private func appLink(_ text: String) throws(AppLinkRefusal) -> AppLink {
        let link: (page: WebURL, query: [(name: String, value: String)])
        do { link = try WebURL.split(link: text) } catch { throw .unreadable(error) }
        do { return leadingToOwnPage(try AppLink(link.page, query: link.query, on: self.linkDomains, apps: self.apps)) } catch {
            throw .malformed(error)
        }
    }

    /// The app link with Onward's action page in place of the one that Firebase hosts for the same
    /// project, which uses up a code when it is opened.
    private func leadingToOwnPage(_ link: AppLink) -> AppLink {
        guard self.upstream != nil, isHostedByFirebase(link.link) else { return link }
        return link.leading(to: self.actionURL.appending(query: link.link.queryItems))
    }

    /// Whether a URL is the action page on the project's Firebase Hosting.
    private func isHostedByFirebase(_ page: WebURL) -> Bool {
        guard page.scheme == "https", page.path == "/__/auth/action", let host = page.host?.serialized else { return false }
        let suffixes = [".firebaseapp.com", ".web.app"]
        guard suffixes.contains(where: host.hasSuffix) else { return false }
        return suffixes.contains { "\(id)" + $0 == host } || (try? self.authorizedDomains.authorize(page)) != nil
    }

    private func approve(_ link: AppLink) throws(AppLinkRefusal) -> ApprovedAppLink {
        try ApprovedAppLink(link, apps: self.apps, domains: self.linkDomains) { (parameter, url) throws(AppLinkRefusal) in
            if url.origin == self.actionURL.origin, url.path == self.actionURL.path { return }
            do throws(AuthorizedDomains.NotAuthorized) { _ = try self.authorizedDomains.authorize(url) } catch {
                throw .notAuthorized(parameter, host: url.host?.serialized, error)
            }
        }
    }
}
