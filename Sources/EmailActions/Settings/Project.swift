package import Accounts
package import AppLinks
package import WebURL

/// One application's settings: as the operator configured them, and as admins changed them since (`applying`).
///
/// A value behind one reference: each request hands it on several times, and would count thirty of them each time, with all cores.
@dynamicMemberLookup
package struct Project: Sendable {
    /// What happens after the button was pressed and there is somewhere to go.
    package enum ContinuePolicy: String, Sendable, CaseIterable {
        /// On at once, by a 303.
        case straight
        /// A page that says what was done, with a *Continue* button, as Firebase's own does it.
        case page
    }

    /// All that a project has beside its id.
    package struct Traits: Sendable {
        /// The app's name, on pages and in mails.
        package var displayName: String
        package var apiKeys: Set<String> = []
        /// Nil: the project's accounts and codes are Onward's own.
        package var upstream: UpstreamProject?
        package var authorizedDomains: AuthorizedDomains
        /// The first is the default.
        package var linkDomains: [LinkDomain] = []
        package var apps = RegisteredApps.none
        /// Where mailed links point; Onward's own pages unless the team has a handler of its own.
        package var actionURL: WebURL
        package var lifetimes = Lifetimes()
        package var continuePolicy = ContinuePolicy.straight
        package var signIn = SignInMethods()
        package var passwordPolicy = PasswordPolicy()
        /// Whose custom tokens are taken.
        package var serviceAccounts: [ServiceAccount] = []
        /// The `aud` of ID tokens; the id, as with Firebase, unless the team's verifiers want another.
        package var idTokenAudience: String
        /// Enumeration protection: unknown accounts are answered like known ones.
        package var hidesAccounts = true
        /// The BCP 47 tag used where nobody asked for a language.
        package var language = "en"
        package var appearance = Appearance()
        /// Words of its own for its mails, which only admins set.
        package var templates: [Action: LetterTemplate] = [:]
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

    /// The same settings for another set of accounts, as `onward dev` gives to any project id.
    package func renamed(_ id: ProjectID) -> Project {
        var other = self
        other.id = id
        other.apiKeys = []
        other.idTokenAudience = id.rawValue
        return other
    }
}

/// Which ways of signing in a project offers.
package struct SignInMethods: Sendable, Hashable {
    package var password = true
    package var emailLink = true
    package var anonymous = true

    package init() {}
}

/// How a project looks on the pages.
package struct Appearance: Sendable, Hashable {
    /// `#rrggbb`, checked for contrast at start; nil: Onward's own.
    package var accent: String?
    /// The name of a file in `Public/`.
    package var logo: String?
    /// A web or `mailto:` address under *Help*.
    package var help: String?

    package init() {}
}
