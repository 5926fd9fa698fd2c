package import WebURL

/// A URL that the authorised domains admit: the only kind that may reach a `Location`, a link or a script (R1).
/// Only `AuthorizedDomains.authorize` makes one, so nothing can be shown that was not checked.
package struct AuthorizedURL: Sendable, Hashable {
    package let url: WebURL

    fileprivate init(_ url: WebURL) { self.url = url }

    /// What to emit: our own spelling, never the caller's (R2).
    package var serialized: String { url.serialized }
}

extension AuthorizedDomains {
    /// Admits a URL, or says why not.
    package func authorize(_ url: String) throws(NotAuthorized) -> AuthorizedURL {
        try authorize(read(url))
    }

    /// The same for a URL that has been read already, such as one out of an app link.
    package func authorize(_ url: WebURL) throws(NotAuthorized) -> AuthorizedURL {
        _ = try rule(admitting: url)
        return AuthorizedURL(url)
    }

    /// The decision and its reason, for `onward explain-url`.
    package func explain(_ url: String) -> Explanation {
        do throws(NotAuthorized) {
            let url = try read(url)
            return .allowed(AuthorizedURL(url), by: try rule(admitting: url))
        } catch {
            return .refused(error)
        }
    }

    private func read(_ text: String) throws(NotAuthorized) -> WebURL {
        do { return try WebURL(text) } catch { throw .unreadable(error) }
    }
}

extension AuthorizedURL {
    /// Hands parameters on to the next page; the host stays the one that was checked.
    package func appending(query items: [(name: String, value: String)]) -> AuthorizedURL {
        AuthorizedURL(url.appending(query: items))
    }
}
