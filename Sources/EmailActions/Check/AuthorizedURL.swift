package import WebURL

/// A URL that the authorised domains allow: the only kind that may be written to a `Location`
/// header, a link or a script (R1). Only `AuthorizedDomains.authorize` creates one, so a URL that
/// was not checked is never emitted.
package struct AuthorizedURL: Sendable, Hashable {
    package let url: WebURL

    fileprivate init(_ url: WebURL) { self.url = url }

    /// The URL to emit, as serialised by Onward; never the caller's string (R2).
    package var serialized: String { url.serialized }
}

extension AuthorizedDomains {
    /// Authorises a URL, or throws the reason for refusing it.
    package func authorize(_ url: String) throws(NotAuthorized) -> AuthorizedURL {
        try authorize(read(url))
    }

    /// Authorises a parsed URL, such as the payload of an app link.
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
    /// The URL with query parameters added for the next page; the host is unchanged.
    package func appending(query items: [(name: String, value: String)]) -> AuthorizedURL {
        AuthorizedURL(url.appending(query: items))
    }
}
