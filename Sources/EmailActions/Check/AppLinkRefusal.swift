package import AppLinks
package import WebURL

/// The reason why an app link is refused. Its page names what was refused; there is no redirect.
package enum AppLinkRefusal: Error, Sendable, Hashable {
    case unreadable(WebURL.ParseError)
    case malformed(AppLink.FormatError)
    /// The URL of a parameter leads to a host that the project has not authorised.
    case notAuthorized(AppLink.Parameter, host: String?, AuthorizedDomains.NotAuthorized)

    /// A sentence for operators: what was refused, and what would allow it.
    package var explanation: String {
        switch self {
        case .unreadable(let error): error.explanation
        case .malformed(let error): error.explanation
        case .notAuthorized(let parameter, _, let error): "The parameter \(parameter.rawValue) is refused. " + error.explanation
        }
    }
}

extension Project {
    /// Parses and checks a link on one of the project's link domains. Its URLs may lead to the
    /// action page, to authorised domains and to the store pages of registered apps (R1, R14).
    package func approve(appLink text: String) throws(AppLinkRefusal) -> ApprovedAppLink {
        let url: WebURL
        do { url = try WebURL(text) } catch { throw .unreadable(error) }
        let link: AppLink
        do { link = try AppLink(url, on: self.linkDomains, apps: self.apps) } catch { throw .malformed(error) }
        return try ApprovedAppLink(link, apps: self.apps, domains: self.linkDomains) { (parameter, url) throws(AppLinkRefusal) in
            if url.origin == self.actionURL.origin, url.path == self.actionURL.path { return }
            do throws(AuthorizedDomains.NotAuthorized) { _ = try self.authorizedDomains.authorize(url) } catch {
                throw .notAuthorized(parameter, host: url.host?.serialized, error)
            }
        }
    }
}
