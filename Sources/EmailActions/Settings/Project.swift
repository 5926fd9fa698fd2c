package import Accounts
package import AppLinks
package import WebURL

/// One application's settings, as configured by the operator and changed by admins (`applying`).
///
/// The value is stored behind one reference: each request copies it several times, and would
/// otherwise increment thirty reference counts that all cores share.
@dynamicMemberLookup
package struct Project: Sendable {
    /// The step after the button was pressed, if there is a destination.
    package enum ContinuePolicy: String, Sendable, CaseIterable {
        /// Redirects at once, with status 303.
        case straight
        /// Shows a page that confirms the action, with a *Continue* button, like Firebase's page.
        case page
    }

    /// How a person gets an account with an address.
    package enum SignUps: String, Sendable, CaseIterable {
        /// With a password or a sign-in link, as SDKs offer both.
        case open
        /// Only by a sign-in link, so that a sign-up tells nothing about an address.
        case byLink
    }

    /// How a press of the button is known to be a person's, for actions that need no more.
    package enum ConfirmBy: String, Sendable, CaseIterable {
        /// Asks for the number in the mail if the press looks automatic.
        case automatic
        /// Always asks for the number.
        case number
        /// Never asks.
        case press
    }

    /// The settings of a project other than its id.
    package struct Traits: Sendable {
        /// The app's name, shown on pages and in mails.
        package var displayName: String
        package var apiKeys: Set<String> = []
        /// The upstream; nil if the project's accounts and codes are in Onward's own store.
        package var upstream: UpstreamProject?
        package var authorizedDomains: AuthorizedDomains
        /// The link domains, of which the first is the default.
        package var linkDomains: [LinkDomain] = []
        /// Whether requests may name link domains that are not served here, as those of the Auth
        /// emulator may. Their links have the default one.
        package var acceptsEveryLinkDomain = false
        package var apps = RegisteredApps.none
        package var shortLinks = ShortLinkSettings()
        /// The page that mailed links point to: Onward's own, unless the project has its own
        /// handler.
        package var actionURL: WebURL
        package var lifetimes = Lifetimes()
        package var continuePolicy = ContinuePolicy.straight
        package var confirmBy = ConfirmBy.automatic
        package var signUps = SignUps.open
        package var signIn = SignInMethods()
        package var secondFactors = SecondFactorSettings()
        /// Nil if the project sends no text messages.
        package var textMessages: TextMessageSettings?
        /// The identity providers by their ids.
        package var providers: [String: IdentityProvider] = [:]
        package var passwordPolicy = PasswordPolicy()
        /// The service accounts whose custom tokens are accepted.
        package var serviceAccounts: [ServiceAccount] = []
        /// The `aud` of ID tokens. It is the project id, as with Firebase, unless the project's
        /// verifiers require another value.
        package var idTokenAudience: String
        /// Enumeration protection: responses for unknown accounts are the same as for known ones.
        package var hidesAccounts = true
        /// The BCP 47 tag of the language that is used if none was requested.
        package var language = "en"
        /// The time zone of dates on pages and in mails, by its name in the IANA database.
        package var timeZone = "UTC"
        package var appearance = Appearance()
        /// The project's own mail templates, which only admins set.
        package var templates: [LetterKind: LetterTemplate] = [:]
        package var mail = ProjectMail()
    }

    private final class Kept: Sendable {
        let traits: Traits

        init(_ traits: Traits) { self.traits = traits }
    }

    package private(set) var id: ProjectID
    private var kept: Kept

    package init(id: ProjectID, displayName: String, authorizedDomains: AuthorizedDomains, actionURL: WebURL) {
        self.id = id
        kept = Kept(
            Traits(
                displayName: displayName, authorizedDomains: authorizedDomains, actionURL: actionURL, idTokenAudience: id.rawValue))
    }

    package subscript<Trait>(dynamicMember path: WritableKeyPath<Traits, Trait>) -> Trait {
        get { kept.traits[keyPath: path] }
        set {
            var traits = kept.traits
            traits[keyPath: path] = newValue
            kept = Kept(traits)
        }
    }

    /// Whether the project's apps get the passwords that were saved at the public origin. Apps of
    /// several projects would get each other's.
    package func sharesPasswords(among all: [Project]) -> Bool { all.count == 1 && !self.apps.isEmpty }

    /// These settings under another project id, which `onward dev` uses for unknown ids.
    package func renamed(_ id: ProjectID) -> Project {
        var other = self
        other.id = id
        other.apiKeys = []
        other.idTokenAudience = id.rawValue
        return other
    }
}

/// The sign-in methods that a project offers.
package struct SignInMethods: Sendable, Hashable {
    package var password = true
    package var emailLink = true
    /// Whether users sign in by a code that is sent to a phone number.
    package var phone = false
    package var anonymous = true
    /// Whether an account that a provider's user gets has no address of its own, so that several
    /// accounts may belong to one person.
    package var sharesAddresses = false
    /// Whether clients are refused to remove the last sign-in method of an account.
    package var keepsLastMethod = false
    /// Whether a provider that verifies the address of its own account leaves the account's other
    /// sign-in methods, and an account is told by mail of a provider that joins it by its address.
    package var keepsProviders = false

    package init() {}
}

/// The second factors that users of a project may enrol. Those that they have are asked for
/// whatever the settings say.
package struct SecondFactorSettings: Sendable, Hashable {
    /// Whether users may enrol authenticator apps.
    package var totp = false
    /// Whether users may enrol phones, which get a code by text message.
    package var phone = false
    /// Whether a new second factor comes with recovery codes.
    package var recoveryCodes = false

    package init() {}
}

/// The short links that clients of a project may create with an API key. Admins may always.
package struct ShortLinkSettings: Sendable, Hashable {
    package var byAPIKey = false
    /// The most links that clients may create, all together. Links are never deleted.
    package var maxByAPIKey = 10_000

    package init() {}
}

/// The appearance of a project's pages.
package struct Appearance: Sendable, Hashable {
    /// The accent colour as `#rrggbb`, checked for contrast at start; nil: Onward's default.
    package var accent: String?
    /// The logo, as the name of a file in `Public/`.
    package var logo: String?
    /// The web or `mailto:` address of the *Help* link.
    package var help: String?

    package init() {}
}
