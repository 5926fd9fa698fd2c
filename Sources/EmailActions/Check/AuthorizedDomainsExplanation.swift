package import WebURL

extension AuthorizedDomains {
    /// Why nobody is sent to a URL. The first case is Firebase's `INVALID_CONTINUE_URI`, the others are `UNAUTHORIZED_DOMAIN`.
    package enum NotAuthorized: Error, Sendable, Hashable {
        case unreadable(WebURL.ParseError)
        /// No entry covers the host, or none with this port. nil: no entry may cover it.
        case notListed(host: String, entryThatWouldAllow: String?)
        /// Plain http beyond this machine, or an app's scheme that is not registered (where no entry would help).
        case scheme(String, entryThatWouldAllow: String?)

        /// What was refused and which rule would allow it, in plain English.
        package var explanation: String {
            switch self {
            case .unreadable(let error): error.explanation
            case .notListed(let host, let entry?): "No authorised domain covers \(host) at this port; the entry \"\(entry)\" would."
            case .notListed(let host, nil):
                "No authorised domain covers \(host), and none may, because anyone can register a host below it."
            case .scheme(_, let entry?): "Plain http is not allowed here; the entry \"\(entry)\" under plainHTTPDomains would allow it."
            case .scheme(let scheme, nil): "No registered app has the scheme \(scheme)://; add it to the custom schemes of an app."
            }
        }
    }

    /// What `onward explain-url` prints.
    package enum Explanation: Sendable, Hashable {
        case allowed(AuthorizedURL, by: String)
        case refused(NotAuthorized)

        /// The decision in a sentence.
        package var sentence: String {
            switch self {
            case .allowed(let url, let rule): "Allowed by \"\(rule)\"; people are sent to \(url.serialized)"
            case .refused(let reason): "Refused. " + reason.explanation
            }
        }

        /// The line that would change a no into a yes; nil if it is a yes, or no line can.
        package var configurationLine: String? {
            switch self {
            case .allowed, .refused(.unreadable), .refused(.notListed(_, nil)), .refused(.scheme(_, nil)): nil
            case .refused(.notListed(_, let entry?)): "authorizedDomains: [\"\(entry)\"]"
            case .refused(.scheme(_, let entry?)): "plainHTTPDomains: [\"\(entry)\"]"
            }
        }
    }
}
