public import Base

/// The reason why a long link gets no short link.
public enum ShortLinkRefusal: Error, Sendable, Hashable {
    case unreadable(WebURL.ParseError)
    /// The link is not on a link domain of the project; `known` are their origins.
    case foreignDomain(String, known: [String])
    case refused(AppLinkRefusal)
    /// A one-time code would be stored in clear, and shown to admins.
    case carriesCode
    case tooLong
    /// The path is not one that a short link can have.
    case path
    /// Only admins choose the path before the suffix.
    case prefixByClient

    /// A sentence that says what to do, for the caller of the API and the report of an import.
    public var explanation: String {
        switch self {
        case .unreadable(let error): "The link cannot be read. " + error.explanation
        case .foreignDomain(let origin, let known):
            "\(origin) is not a link domain of the project; expected \(known.isEmpty ? "linkDomains in the configuration" : known.joined(separator: " or "))."
        case .refused(let refusal): refusal.explanation
        case .carriesCode: "The link carries a one-time code (oobCode), which must not be stored. Mail it as it is."
        case .tooLong: "The link is longer than \(ShortLinkDraft.maxLinkBytes) bytes."
        case .path:
            "The path of a short link has one to four segments of letters, digits and -._~, and is not one that the server uses."
        case .prefixByClient: "Links that are created with an API key have no path before the suffix: leave it out of the domain."
        }
    }
}

extension ShortLinkDraft {
    /// Source: the limit of Firebase Dynamic Links.
    public static let maxLinkBytes = 7168
}
