import Base

/// A project's settings for one identity provider, such as its registration at Google.
public struct IdentityProvider: Sendable, Hashable {
    /// How a provider vouches for its users.
    public enum Kind: Sendable, Hashable {
        /// Providers that give ID tokens. Source: OpenID Connect Core 1.0.
        case google, apple, microsoft, openID
        /// Providers that give access tokens, and are asked about them.
        case facebook, gitHub

        /// The kind of a provider by Firebase's id; nil for an id of no provider.
        public init?(id: String) {
            switch id {
            case "google.com": self = .google
            case "apple.com": self = .apple
            case "microsoft.com": self = .microsoft
            case "facebook.com": self = .facebook
            case "github.com": self = .gitHub
            case _ where Self.isOpenID(id): self = .openID
            default: return nil
            }
        }

        private static func isOpenID(_ id: String) -> Bool {
            id.hasPrefix("oidc.") && (6...128).contains(id.utf8.count) && id.utf8.dropFirst(5).allSatisfy(Base64URL.isInAlphabet)
        }

        /// The URL of the provider, unless the settings have another; nil if they need one.
        public var standardURL: String? {
            switch self {
            case .google: "https://accounts.google.com"
            case .apple: "https://appleid.apple.com"
            case .microsoft: "https://login.microsoftonline.com/common/v2.0"
            case .facebook: "https://graph.facebook.com"
            case .gitHub: "https://api.github.com"
            case .openID: nil
            }
        }

        /// The name of the provider; nil for OpenID providers, which have no common name.
        public var standardName: String? {
            switch self {
            case .google: "Google"
            case .apple: "Apple"
            case .microsoft: "Microsoft"
            case .facebook: "Facebook"
            case .gitHub: "GitHub"
            case .openID: nil
            }
        }

        /// Whether a client secret is needed to find out for which app a credential was made.
        public var needsSecret: Bool { !givesIDTokens }

        public var givesIDTokens: Bool { self != .facebook && self != .gitHub }

        /// Whether the same user may have another id in each app, so that two ids tell two users
        /// apart only if they are of one app. Source: `Docs/internal/Ownership.md`, `The same
        /// person`.
        public var mayIdentifyPerApp: Bool { self == .openID || self == .facebook }
    }

    /// Firebase's id of the provider: `google.com`, `oidc.` with a name, and so on.
    public let id: String
    public let kind: Kind
    /// The ids under which the project's apps are registered at the provider. Credentials that were
    /// made for others are refused.
    public var clientIDs: [String]
    /// The secret of the registration that the first id belongs to.
    public var clientSecret: ClientSecret?
    /// Whether users come back from the provider with a code, for which this server gets the ID
    /// token. Nil: if there is a client secret.
    public var usesCode: Bool?
    /// The issuer of ID tokens, or the base of the provider's API, without a slash at its end.
    public var url: String
    /// A PEM file with the only certificates that are trusted at the URL; nil for the system's
    /// roots.
    public var caFile: String?
    /// Whether the provider is reached at public addresses only. True if an admin set the URL: it
    /// must not lead into the operator's network, and neither may the provider's documents.
    public var onlyPublic = false
    /// The directories of `microsoft.com` whose users may sign in; empty for all.
    public var tenants: Set<String> = []
    /// Whether the provider verifies the addresses that it reports as verified. Nil: only those for
    /// which Google, Apple or Microsoft is the authority.
    public var verifiesEmail: Bool?
    public var isEnabled = true
    public var displayName: String?

    /// Nil for an id of no provider, and for an `oidc.` one without a URL.
    public init?(id: String, clientIDs: [String], clientSecret: String? = nil, url: String? = nil) {
        guard let kind = Kind(id: id), let url = url ?? kind.standardURL else { return nil }
        self.id = id
        self.kind = kind
        self.clientIDs = clientIDs
        self.clientSecret = clientSecret.map { .plain($0) }
        self.url = url
    }

    /// Whether a sign-in by the provider's page is one by a code.
    public var usesCodeFlow: Bool { kind.needsSecret || usesCode ?? (clientSecret != nil) }
}
