package import Accounts

/// The settings of a project that admins changed. A field that is nil keeps the configuration
/// file's value.
package struct ProjectSettings: Sendable, Hashable, Codable {
    /// The authorised domains in the grammar of `AuthorizedDomains`, which replace the file's.
    package var authorizedDomains: [String]?
    /// Whether users can sign in by e-mail: with a password, or by a link.
    package var signsInByEmail: Bool?
    /// Whether signing in by e-mail needs a password; if not, a link is enough. Source: Identity
    /// Toolkit `SignInConfig.Email`.
    package var requiresPassword: Bool?
    package var signsInAnonymously: Bool?
    /// Whether accounts of providers have no address of their own.
    package var sharesAddresses: Bool?
    /// Whether clients are refused to remove the last sign-in method of an account.
    package var keepsLastMethod: Bool?
    /// Whether an account keeps its other sign-in methods when its provider verifies its address.
    package var keepsProviders: Bool?
    /// Whether users may enrol second factors at all. Source: Identity Toolkit
    /// `MultiFactorAuthConfig`.
    package var offersSecondFactors: Bool?
    /// Whether users may enrol authenticator apps.
    package var offersTOTP: Bool?
    package var givesRecoveryCodes: Bool?
    package var hidesAccounts: Bool?
    package var enforcesPasswordPolicy: Bool?
    /// Whether an enforced policy refuses a sign-in with an older password that does not meet it.
    package var forcesPasswordUpgrade: Bool?
    package var passwordRules: StrengthOptions?
    /// The language, as the code of a shipped translation.
    package var language: String?
    /// The page that mailed links point to.
    package var actionURL: String?
    /// The default link domain, one of the file's.
    package var linkDomain: String?
    private var templates: [LetterKind: LetterTemplate] = [:]
    private var providersByID: [String: ProviderSettings]?

    package init() {}

    /// The project's own template for a kind of mail.
    package subscript(template kind: LetterKind) -> LetterTemplate {
        get { templates[kind] ?? LetterTemplate() }
        set { templates[kind] = newValue == LetterTemplate() ? nil : newValue }
    }
}

extension ProjectSettings {
    /// The identity providers that admins set, by their ids.
    package var providers: [String: ProviderSettings] { providersByID ?? [:] }

    package subscript(provider id: String) -> ProviderSettings? {
        get { providersByID?[id] }
        set {
            var providers = providers
            providers[id] = newValue
            providersByID = providers.isEmpty ? nil : providers
        }
    }
}

/// An admin's rules for new passwords. Source: Identity Toolkit `CustomStrengthOptions`.
package struct StrengthOptions: Sendable, Hashable, Codable {
    /// The minimum length in Unicode code points; nil: the file's value.
    package var minimumLength: Int?
    /// The maximum length in Unicode code points; nil: the file's value.
    package var maximumLength: Int?
    package var requires: Set<CharacterClass>

    package init(minimumLength: Int?, maximumLength: Int?, requires: Set<CharacterClass>) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.requires = requires
    }
}

/// An objection to a setting that cannot be used.
package struct SettingsObjection: Error, Sendable, Hashable {
    /// The name of the setting in the API, such as `notification.sendEmail.callbackUri`.
    package let field: String
    /// The reason, and the values that would be accepted.
    package let sentence: String

    package init(field: String, sentence: String) {
        (self.field, self.sentence) = (field, sentence)
    }
}

/// The checks of settings that depend on other targets: the shipped languages and the rules for
/// mail templates.
package struct SettingsChecks: Sendable {
    let isShipped: @Sendable (_ language: String) -> Bool
    let template: @Sendable (LetterTemplate, LetterKind) -> CheckedTemplate

    package init(
        isShipped: @escaping @Sendable (_ language: String) -> Bool,
        template: @escaping @Sendable (LetterTemplate, LetterKind) -> CheckedTemplate
    ) {
        (self.isShipped, self.template) = (isShipped, template)
    }
}
