internal import Accounts

/// A collection of the identity providers of a project in the admin API. Source: Identity Toolkit
/// v2 `OAuthIdpConfig`, `DefaultSupportedIdpConfig`.
enum ProviderCollection: String, Sendable, CaseIterable {
    /// The providers `oidc.*`.
    case oauthIdpConfigs
    /// The providers that Firebase knows by name.
    case defaultSupportedIdpConfigs

    /// The query parameter that names a new provider.
    var idParameter: String {
        switch self {
        case .oauthIdpConfigs: "oauthIdpConfigId"
        case .defaultSupportedIdpConfigs: "idpId"
        }
    }

    /// The name of one configuration in the names of methods.
    var noun: String {
        switch self {
        case .oauthIdpConfigs: "OAuthIdpConfig"
        case .defaultSupportedIdpConfigs: "DefaultSupportedIdpConfig"
        }
    }

    /// Whether a provider belongs to the collection.
    func contains(_ id: String) -> Bool {
        IdentityProvider.Kind(id: id).map { ($0 == .openID) == (self == .oauthIdpConfigs) } ?? false
    }

    /// The fields of a provider.
    var properties: [Property] {
        let shared = [
            Property("name", .text, "`projects/{project}/\(rawValue)/{id}`."), Property("enabled", .flag, "False if absent in a new one."),
            Property("clientId", .text),
            Property(
                "clientSecret", .text,
                "Stored encrypted. Returned only to an admin who may write, and not if the configuration file has it."),
        ]
        return switch self {
        case .oauthIdpConfigs:
            shared + [
                Property("displayName", .text), Property("issuer", .text, "An https URL."),
                Property(
                    "responseType", .object([Property("idToken", .flag), Property("code", .flag)]),
                    "What `createAuthUri` asks the provider for: one of them. Default: a code if there is a clientSecret."),
            ]
        case .defaultSupportedIdpConfigs:
            shared + [
                Property(
                    "appleSignInConfig",
                    .object([
                        Property("bundleIds", .list(.text)),
                        Property("codeFlowConfig", .anything, "Refused: send the signed JWT as clientSecret."),
                    ]))
            ]
        }
    }
}
