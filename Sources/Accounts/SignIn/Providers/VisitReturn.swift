/// The place of an app where this server leads a user on to who comes back from a provider.
public enum VisitReturn: Sendable, Hashable {
    /// A web page, which gets the provider's answer in its fragment.
    case page(String)
    /// An app on a phone, which gets the answer in a link that only apps open.
    case app(WaitingApp)
}

/// An app on a phone that opened this server in a browser, where its user goes to a provider.
public struct WaitingApp: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        /// An app by its bundle id and the custom scheme of its links.
        case apple(bundleID: String, scheme: String)
        /// An app by its package name, in development.
        case android(packageName: String)
    }

    public let kind: Kind
    /// The app's own id of its request. It takes no link with another one.
    public let eventID: String
    /// The name of what the app asks for, such as `signInWithRedirect`.
    public let authType: String

    public init(_ kind: Kind, eventID: String, authType: String) {
        (self.kind, self.eventID, self.authType) = (kind, eventID, authType)
    }
}
