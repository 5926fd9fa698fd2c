/// The page after the deed.
package struct Completion: Sendable, Hashable {
    package var action: LinkAction
    package var account: String?
    package var newAccount: String?
    package var factor: String?
    package var next: Next
    /// The second step after an undoing: *Send me a password reset*.
    package var passwordReset: Form?

    package init(
        _ action: LinkAction, account: String? = nil, newAccount: String? = nil, factor: String? = nil, next: Next = .nowhere,
        passwordReset: Form? = nil
    ) {
        self.action = action
        self.account = account
        self.newAccount = newAccount
        self.factor = factor
        self.next = next
        self.passwordReset = passwordReset
    }
}

/// Where the person goes from here.
package enum Next: Sendable, Hashable {
    /// No continue URL was asked for.
    case nowhere
    /// `url` is written as it is: only one that the project's authorised domains have let through may come here (R1).
    case to(host: String, url: String)
    /// It was asked for, but its host is not, or no longer, on the list (R9, R10).
    case refused
}

/// The page after a mail was asked for.
package struct Sending: Sendable, Hashable {
    /// What was asked for.
    package var mail: Mail
    /// Where it went, as far as the person has shown to know it.
    package var account: String?

    package enum Mail: Sendable, Hashable, CaseIterable { case newLink, passwordReset }

    package init(_ mail: Mail, account: String? = nil) {
        self.mail = mail
        self.account = account
    }
}

/// The page behind an app link, on a phone that did not open the app, or on a desk.
package struct AppOffer: Sendable, Hashable {
    /// Opens the app; nil where there is none for this platform.
    package var open: String?
    /// The app's page in its store.
    package var store: String?
    /// The same on the web, with the host that is named.
    package var web: Next

    package init(open: String?, store: String?, web: Next) {
        self.open = open
        self.store = store
        self.web = web
    }
}
