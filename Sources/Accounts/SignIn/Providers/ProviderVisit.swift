public import Base

/// A visit of a user to the sign-in page of a provider, which sends them back to a page of the app,
/// or to this server's own, which leads on to the app.
public struct ProviderVisit: Sendable, Hashable {
    /// Firebase's id of the provider.
    public let provider: String
    /// The page that the provider sends the user back to, exactly as the provider was told.
    public let continueURI: String
    /// The place where this server leads on to; nil if the provider sends the user to the app.
    public let returnsTo: VisitReturn?
    /// The text whose SHA-256 the ID token must have as its nonce.
    public let rawNonce: String
    /// The text that the provider requires with the code. Source: RFC 7636.
    public let codeVerifier: String

    public init(provider: String, continueURI: String, returnsTo: VisitReturn? = nil, rawNonce: String, codeVerifier: String) {
        (self.provider, self.continueURI, self.returnsTo) = (provider, continueURI, returnsTo)
        (self.rawNonce, self.codeVerifier) = (rawNonce, codeVerifier)
    }

    public init(provider: String, continueURI: String, returnsTo: VisitReturn? = nil, random: RandomBytes) {
        self.init(
            provider: provider, continueURI: continueURI, returnsTo: returnsTo, rawNonce: Base64URL.encode(random(32)),
            codeVerifier: Base64URL.encode(random(32)))
    }
}

/// The parameters of the URL of a provider's sign-in page.
public struct ProviderPageRequest: Sendable {
    public let visit: ProviderVisit
    /// The text that the provider hands back with the user.
    public let state: String
    /// Scopes beside those of every sign-in.
    public var scopes: [String] = []
    /// The address that the user probably signs in with.
    public var loginHint: String?
    /// Parameters of the app's own; those that the sign-in needs are not replaced.
    public var parameters: [(name: String, value: String)] = []

    public init(_ visit: ProviderVisit, state: String) { (self.visit, self.state) = (visit, state) }
}

/// The parameters that a provider sent back with a user.
public struct ProviderAnswer: Sendable {
    public var code: String?
    public var idToken: String?
    public var accessToken: String?
    /// The issuer that answers, if the provider says so. Source: RFC 9207.
    public var issuer: String?
    public var appleUser: String?

    public init() {}
}
