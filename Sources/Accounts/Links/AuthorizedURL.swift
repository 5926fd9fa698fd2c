public import Base

/// A continue URL that the authorised domains allow. Only `AuthorizedDomains.authorize` creates
/// one, so a continue URL that was not checked reaches no header and no page (R1).
public struct AuthorizedURL: Sendable, Hashable {
    public let url: WebURL

    fileprivate init(_ url: WebURL) { self.url = url }

    /// The URL to emit, as serialised by Onward; never the caller's string (R2).
    public var serialized: String { url.serialized }
}

extension AuthorizedDomains {
    /// Authorises a URL, or throws the reason for refusing it.
    public func authorize(_ url: String) throws(NotAuthorized) -> AuthorizedURL {
        try authorize(read(url))
    }

    /// Authorises a parsed URL, such as the payload of an app link.
    public func authorize(_ url: WebURL) throws(NotAuthorized) -> AuthorizedURL {
        _ = try rule(admitting: url)
        return AuthorizedURL(url)
    }

    /// Whether an entry covers a URL. Users may be sent to any private host in development, but it
    /// is another machine in each network.
    public func lists(_ url: WebURL) -> Bool {
        var listed = self
        listed.acceptsPrivateHosts = false
        return (try? listed.rule(admitting: url)) != nil
    }

    /// The decision and its reason, for `onward explain-url`.
    public func explain(_ url: String) -> Explanation {
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
    /// The URL with parameters in its fragment, which the page's server does not see.
    public func serialized(withFragment items: [(name: String, value: String)]) -> String {
        let fragment = items.map { "\(WebURL.percentEncoded($0.name))=\(WebURL.percentEncoded($0.value))" }.joined(separator: "&")
        return "\(serialized.prefix { $0 != "#" })#\(fragment)"
    }

    /// The URL with query parameters added for the next page; the host is unchanged.
    public func appending(query items: [(name: String, value: String)]) -> AuthorizedURL {
        AuthorizedURL(url.appending(query: items))
    }
}

extension AuthorizedDomains {
    /// The reason why a URL is not authorised. The first case is Firebase's `INVALID_CONTINUE_URI`,
    /// the others are `UNAUTHORIZED_DOMAIN`.
    public enum NotAuthorized: Error, Sendable, Hashable {
        case unreadable(WebURL.ParseError)
        /// No entry covers the host, or none covers it with this port. The suggested entry is nil
        /// if no entry may cover the host.
        case notListed(host: String, entryThatWouldAllow: String?)
        /// Plain http to another machine, or an app scheme that is not registered (the suggested
        /// entry is then nil).
        case scheme(String, entryThatWouldAllow: String?)

        /// A sentence that says what was refused and which entry would allow it.
        public var explanation: String { explanation(inDevelopment: false) }

        /// - Parameter inDevelopment: whether `onward dev` refuses, which has no configuration.
        func explanation(inDevelopment: Bool) -> String {
            switch self {
            case .notListed(_, let entry?) where inDevelopment, .scheme(_, let entry?) where inDevelopment:
                "The host is neither this machine nor in a private network; `onward dev --authorize '\(entry)'` would allow it."
            case .unreadable(let error): error.explanation
            case .notListed(let host, let entry?): "No authorised domain covers \(host) at this port; the entry \"\(entry)\" would."
            case .notListed(let host, nil):
                "No authorised domain covers \(host), and none may, because anyone can register a host below it."
            case .scheme(_, let entry?): "Plain http is not allowed here; the entry \"\(entry)\" under plainHTTPDomains would allow it."
            case .scheme(let scheme, nil): "No registered app has the scheme \(scheme)://; add it to the custom schemes of an app."
            }
        }
    }

    /// The result that `onward explain-url` prints.
    public enum Explanation: Sendable, Hashable {
        case allowed(AuthorizedURL, by: String)
        case refused(NotAuthorized)

        /// The decision in one sentence.
        public var sentence: String {
            switch self {
            case .allowed(let url, let rule): "Allowed by \"\(rule)\"; people are sent to \(url.serialized)"
            case .refused(let reason): "Refused. " + reason.explanation
            }
        }

        /// The entry that would allow the URL, and the list that it belongs to; nil if the URL is
        /// already allowed, or if no entry can allow it.
        public var addition: (list: String, entry: String)? {
            switch self {
            case .allowed, .refused(.unreadable), .refused(.notListed(_, nil)), .refused(.scheme(_, nil)): nil
            case .refused(.notListed(_, let entry?)): ("authorizedDomains", entry)
            case .refused(.scheme(_, let entry?)): ("plainHTTPDomains", entry)
            }
        }
    }
}
