/// The settings of a project that admins changed. A field that is nil keeps the configuration
/// file's value.
public struct ProjectSettings: Sendable, Hashable, Codable {
    /// The authorised domains in the grammar of `AuthorizedDomains`, which replace the file's.
    public var authorizedDomains: [String]?
    /// Whether users can sign in by e-mail: with a password, or by a link.
    public var signsInByEmail: Bool?
    /// Whether signing in by e-mail needs a password; if not, a link is enough. Source: Identity
    /// Toolkit `SignInConfig.Email`.
    public var requiresPassword: Bool?
    public var signsInAnonymously: Bool?
    /// Whether accounts do not take the address of a provider's user.
    public var sharesAddresses: Bool?
    /// Whether clients are refused to remove the last sign-in method of an account.
    public var keepsLastMethod: Bool?
    /// Whether only admins make accounts. Source: Identity Toolkit `ClientPermissionConfig`, as for
    /// the next one.
    public var refusesSignUps: Bool?
    /// Whether only admins delete accounts.
    public var refusesDeletions: Bool?
    /// Whether users may enrol second factors at all. Source: Identity Toolkit
    /// `MultiFactorAuthConfig`.
    public var offersSecondFactors: Bool?
    /// Whether users may enrol authenticator apps.
    public var offersTOTP: Bool?
    public var givesRecoveryCodes: Bool?
    public var hidesAccounts: Bool?
    public var enforcesPasswordPolicy: Bool?
    /// Whether an enforced policy refuses a sign-in with an older password that does not meet it.
    public var forcesPasswordUpgrade: Bool?
    public var passwordRules: StrengthOptions?
    /// The language, as the code of a shipped translation.
    public var language: String?
    /// The page that mailed links point to.
    public var actionURL: String?
    /// The default link domain, one of the file's.
    public var linkDomain: String?
    private var templates: [LetterKind: LetterTemplate] = [:]
    private var providersByID: [String: ProviderSettings]?

    public init() {}

    /// The project's own template for a kind of mail.
    public subscript(template kind: LetterKind) -> LetterTemplate {
        get { templates[kind] ?? LetterTemplate() }
        set { templates[kind] = newValue == LetterTemplate() ? nil : newValue }
    }
}

extension ProjectSettings {
    /// The identity providers that admins set, by their ids.
    public var providers: [String: ProviderSettings] { providersByID ?? [:] }

    public subscript(provider id: String) -> ProviderSettings? {
        get { providersByID?[id] }
        set {
            var providers = providers
            providers[id] = newValue
            providersByID = providers.isEmpty ? nil : providers
        }
    }
}

/// An admin's rules for new passwords. Source: Identity Toolkit `CustomStrengthOptions`.
public struct StrengthOptions: Sendable, Hashable, Codable {
    /// The minimum length in Unicode code points; nil: the file's value.
    public var minimumLength: Int?
    /// The maximum length in Unicode code points; nil: the file's value.
    public var maximumLength: Int?
    public var requires: Set<CharacterClass>

    public init(minimumLength: Int?, maximumLength: Int?, requires: Set<CharacterClass>) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.requires = requires
    }
}

/// An objection to a setting that cannot be used.
public struct SettingsObjection: Error, Sendable, Hashable {
    /// The name of the setting in the API, such as `notification.sendEmail.callbackUri`.
    public let field: String
    /// The reason, and the values that would be accepted.
    public let sentence: String

    public init(field: String, sentence: String) {
        (self.field, self.sentence) = (field, sentence)
    }
}

/// The checks of settings that depend on other targets: the shipped languages and the rules for
/// mail templates.
public struct SettingsChecks: Sendable {
    let isShipped: @Sendable (_ language: String) -> Bool
    let template: @Sendable (LetterTemplate, LetterKind) -> CheckedTemplate

    public init(
        isShipped: @escaping @Sendable (_ language: String) -> Bool,
        template: @escaping @Sendable (LetterTemplate, LetterKind) -> CheckedTemplate
    ) {
        (self.isShipped, self.template) = (isShipped, template)
    }
}
