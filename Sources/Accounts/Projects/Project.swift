public import AppLinks
public import Base

/// One application's settings, as configured by the operator and changed by admins (`applying`).
///
/// The value is stored behind one reference: each request copies it several times, and would
/// otherwise increment thirty reference counts that all cores share.
@dynamicMemberLookup
public struct Project: Sendable {
    /// The step after the button was pressed, if there is a destination.
    public enum ContinuePolicy: String, Sendable, CaseIterable {
        /// Redirects at once, with status 303.
        case straight
        /// Shows a page that confirms the action, with a *Continue* button, and then goes on.
        case page
    }

    /// How a person gets an account with an address.
    public enum SignUps: String, Sendable, CaseIterable {
        /// With a password or a sign-in link, as SDKs offer both.
        case open
        /// Only by a sign-in link, so that a sign-up tells nothing about an address.
        case byLink
        /// From an admin only.
        case closed
    }

    /// How a press of the button is known to be a person's, for actions that need no more.
    public enum ConfirmBy: String, Sendable, CaseIterable {
        /// Asks for the number in the mail if the press looks automatic.
        case automatic
        /// Always asks for the number.
        case number
        /// Never asks.
        case press
    }

    /// The settings of a project other than its id.
    public struct Traits: Sendable {
        /// The app's name, shown on pages and in mails.
        public var displayName: String
        public var apiKeys: Set<String> = []
        /// The upstream; nil if the project's accounts and codes are in Onward's own store.
        public var upstream: UpstreamProject?
        public var authorizedDomains: AuthorizedDomains
        /// The link domains. The first is the default.
        public var linkDomains: [LinkDomain] = []
        /// Whether it is one of `onward dev`, which has options in place of a configuration.
        public var isOfDevelopment = false
        public var apps = RegisteredApps.none
        public var shortLinks = ShortLinkSettings()
        /// The page that mailed links point to: Onward's own, unless the project has its own
        /// handler.
        public var actionURL: WebURL
        public var lifetimes = Lifetimes()
        public var continuePolicy = ContinuePolicies()
        public var confirmBy = ConfirmBy.automatic
        public var signUps = SignUps.open
        public var signUpDomains = SignUpDomains()
        public var notices = NoticeSettings()
        /// Whether a reset gives a password to an account that signs in by providers only.
        public var passwordByReset = true
        /// Whether only admins delete accounts.
        public var refusesDeletions = false
        public var signIn = SignInMethods()
        public var secondFactors = SecondFactorSettings()
        /// Nil if the project sends no text messages.
        public var textMessages: TextMessageSettings?
        /// The identity providers by their ids.
        public var providers: [String: IdentityProvider] = [:]
        fileprivate var passwordRules = PasswordPolicy()
        /// The rules for new passwords, which refuse the app's name.
        public var passwordPolicy: PasswordPolicy {
            get { passwordRules.refusing(displayName) }
            set { passwordRules = newValue }
        }
        /// Whether the operator wants the page after an undo to offer a password reset.
        public var offersResetAfterUndo = true
        /// The service accounts whose custom tokens are accepted.
        public var serviceAccounts: [ServiceAccount] = []
        /// The `aud` of ID tokens. It is the project id, as with Firebase, unless the project's
        /// verifiers require another value.
        public var idTokenAudience: String
        /// Enumeration protection: responses for unknown accounts are the same as for known ones.
        public var hidesAccounts = true
        /// The BCP 47 tag of the language that is used if none was requested.
        public var language = "en"
        /// The time zone of dates on pages and in mails, by its name in the IANA database.
        public var timeZone = "UTC"
        /// The app's home page. Pages without a continue URL lead back to it.
        public var homeURL: WebURL?
        public var appearance = Appearance()
        /// The project's own mail templates, which only admins set.
        public var templates: [LetterKind: LetterTemplate] = [:]
        public var mail = ProjectMail()
    }

    private final class TraitsBox: Sendable {
        let traits: Traits

        init(_ traits: Traits) { self.traits = traits }
    }

    public private(set) var id: ProjectID
    private var box: TraitsBox

    public init(id: ProjectID, displayName: String, authorizedDomains: AuthorizedDomains, actionURL: WebURL) {
        self.id = id
        box = TraitsBox(
            Traits(
                displayName: displayName, authorizedDomains: authorizedDomains, actionURL: actionURL, idTokenAudience: id.rawValue))
    }

    public subscript<Trait>(dynamicMember path: WritableKeyPath<Traits, Trait>) -> Trait {
        get { box.traits[keyPath: path] }
        set {
            var traits = box.traits
            traits[keyPath: path] = newValue
            box = TraitsBox(traits)
        }
    }

    /// Whether the project's apps get the passwords that were saved at the public origin. Apps of
    /// several projects would get each other's.
    public func sharesPasswords(among all: [Project]) -> Bool { all.count == 1 && !self.apps.isEmpty }

    /// Whether the page after an undo offers to mail a password reset: not where no password can be
    /// used.
    public var mailsResetAfterUndo: Bool { self.offersResetAfterUndo && self.signIn.password }

    /// These settings under another project id, which `onward dev` uses for unknown ids.
    public func renamed(_ id: ProjectID) -> Project {
        var other = self
        other.id = id
        other.apiKeys = []
        other.idTokenAudience = id.rawValue
        return other
    }
}

/// The sign-in methods that a project offers.
public struct SignInMethods: Sendable, Hashable {
    public var password = true
    public var emailLink = true
    /// Whether users sign in by a code that is sent to a phone number.
    public var phone = false
    public var anonymous = true
    /// Whether accounts do not take the address of a provider's user, so that several accounts may
    /// belong to one person.
    public var sharesAddresses = false
    /// Whether clients are refused to remove the last sign-in method of an account.
    public var keepsLastMethod = false

    public init() {}
}

/// The second factors that users of a project may enrol. Those that they have are asked for
/// whatever the settings say.
public struct SecondFactorSettings: Sendable, Hashable {
    /// Whether users may enrol authenticator apps.
    public var totp = false
    /// Whether users may enrol phones, which get a code by text message.
    public var phone = false
    /// Whether a new second factor comes with recovery codes.
    public var recoveryCodes = false

    public init() {}

    /// Whether users may enrol any.
    public var isOffered: Bool { totp || phone }
}

/// The short links that clients of a project may create with an API key. Admins may always.
public struct ShortLinkSettings: Sendable, Hashable {
    public var byAPIKey = false
    /// The most links that clients may have, all together. Disabled ones do not count; links are
    /// never deleted.
    public var maxByAPIKey = 10_000

    public init() {}
}

/// The appearance of a project's pages.
public struct Appearance: Sendable, Hashable {
    /// The accent colour as `#rrggbb`, checked for contrast at start; nil: Onward's default.
    public var accent: String?
    /// The logo, that for dark pages, and that for mails, as names of files in `Public/`.
    public var logo, logoDark, logoMail: String?
    /// Whether the logo contains the name of the app, so that the name is not written beside it.
    public var logoHasName = false
    /// The e-mail address or https URL for help.
    public var help: String?
    /// The https URLs of the terms of use and of the privacy policy.
    public var terms, privacy: String?

    public init() {}
}
