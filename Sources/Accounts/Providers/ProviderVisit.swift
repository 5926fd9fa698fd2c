/// A visit of a user to the sign-in page of a provider, from which the provider sends them back to
/// a page of the app.
package struct ProviderVisit: Sendable, Hashable {
    /// Firebase's id of the provider.
    package let provider: String
    /// The page of the app, exactly as the provider was told.
    package let continueURI: String
    /// The text whose SHA-256 the ID token must have as its nonce.
    package let rawNonce: String
    /// The text that the provider requires with the code. Source: RFC 7636.
    package let codeVerifier: String

    package init(provider: String, continueURI: String, rawNonce: String, codeVerifier: String) {
        (self.provider, self.continueURI) = (provider, continueURI)
        (self.rawNonce, self.codeVerifier) = (rawNonce, codeVerifier)
    }

    package init(provider: String, continueURI: String, random: RandomBytes) {
        self.init(
            provider: provider, continueURI: continueURI, rawNonce: Base64URL.encode(random(32)), codeVerifier: Base64URL.encode(random(32))
        )
    }
}

/// The parameters of the URL of a provider's sign-in page.
package struct ProviderPageRequest: Sendable {
    package let visit: ProviderVisit
    /// The text that the provider hands back with the user.
    package let state: String
    /// Scopes beside those of every sign-in.
    package var scopes: [String] = []
    /// The address that the user probably signs in with.
    package var loginHint: String?
    /// Parameters of the app's own; those that the sign-in needs are not replaced.
    package var parameters: [(name: String, value: String)] = []

    package init(_ visit: ProviderVisit, state: String) { (self.visit, self.state) = (visit, state) }
}

/// The parameters that a provider sent back with a user.
package struct ProviderAnswer: Sendable {
    package var code: String?
    package var idToken: String?
    package var accessToken: String?
    /// The issuer that answers, if the provider says so. Source: RFC 9207.
    package var issuer: String?
    package var appleUser: String?

    package init() {}
}
