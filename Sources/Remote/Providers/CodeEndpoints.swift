internal import Accounts
internal import Base

/// The two URLs of a sign-in by a provider's page.
struct CodeEndpoints: Sendable {
    /// The page at which users sign in.
    let page: WebURL?
    /// The URL that gives tokens for a code.
    let token: WebURL?
    /// Whether the provider takes a client secret in the body; if not, as a password (HTTP Basic).
    var takesPostedSecret = true
    /// The issuer that the provider may name in its answers. Source: RFC 9207.
    var issuer: String?

    init(_ issuer: OpenIDIssuer) {
        (page, token) = (issuer.authorizationEndpoint, issuer.tokenEndpoint)
        (takesPostedSecret, self.issuer) = (issuer.takesPostedSecret, issuer.name)
    }

    private init(page: String, token: String) { (self.page, self.token) = (try? WebURL(page), try? WebURL(token)) }

    /// The endpoints of a provider that does not publish them; nil for others. Its page is on
    /// another host than its API. Source: Facebook, `Manually Build a Login Flow`; GitHub,
    /// `Authorizing OAuth apps`.
    init?(of provider: IdentityProvider) {
        let url = provider.url
        switch provider.kind {
        case .facebook:
            self.init(
                page: url.replacing("https://graph.facebook.com", with: "https://www.facebook.com") + "/dialog/oauth",
                token: url + "/oauth/access_token")
        case .gitHub:
            // GitHub Enterprise has both on one host.
            let site = url == provider.kind.standardURL ? "https://github.com" : url.hasSuffix("/api/v3") ? String(url.dropLast(7)) : url
            self.init(page: site + "/login/oauth/authorize", token: site + "/login/oauth/access_token")
        case .google, .apple, .microsoft, .openID: return nil
        }
    }
}
