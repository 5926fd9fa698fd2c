package import Accounts

/// What admins changed of a project, on top of the configuration file. What is nil stays as the file says.
package struct ProjectSettings: Sendable, Hashable, Codable {
    /// Entries in the grammar of `AuthorizedDomains`, in place of the file's.
    package var authorizedDomains: [String]?
    /// Whether people sign in by e-mail at all: with a password, or by a link.
    package var signsInByEmail: Bool?
    /// False: by a link as well. Source: Identity Toolkit `SignInConfig.Email`.
    package var requiresPassword: Bool?
    package var signsInAnonymously: Bool?
    package var hidesAccounts: Bool?
    package var enforcesPasswordPolicy: Bool?
    /// Whether an enforced policy turns away old passwords at sign-in.
    package var forcesPasswordUpgrade: Bool?
    package var passwordRules: StrengthOptions?
    /// The code of a shipped language.
    package var language: String?
    /// Where mailed links point.
    package var actionURL: String?
    /// Which of the file's link domains is the default.
    package var linkDomain: String?
    private var templates: [Action: LetterTemplate] = [:]

    package init() {}

    /// The words of its own that the project has for a mail.
    package subscript(template action: Action) -> LetterTemplate {
        get { templates[action] ?? LetterTemplate() }
        set { templates[action] = newValue == LetterTemplate() ? nil : newValue }
    }
}

/// What an admin asks of new passwords. Source: Identity Toolkit `CustomStrengthOptions`.
package struct StrengthOptions: Sendable, Hashable, Codable {
    /// In Unicode code points; nil: the file's.
    package var minimumLength: Int?
    /// The same.
    package var maximumLength: Int?
    package var requires: Set<CharacterClass>

    package init(minimumLength: Int?, maximumLength: Int?, requires: Set<CharacterClass>) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.requires = requires
    }
}

/// A setting that is not acceptable, now or beside a configuration file that has changed since.
package struct SettingsObjection: Error, Sendable, Hashable {
    /// As admins name it, e.g. `notification.sendEmail.callbackUri`.
    package let field: String
    /// Why, and what would do.
    package let sentence: String
}
