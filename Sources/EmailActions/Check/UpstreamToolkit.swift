package import Accounts
package import WebURL

/// The door to an Identity Toolkit elsewhere, for projects whose accounts and codes live there.
package protocol UpstreamToolkit: Sendable {
    /// What a live code is for; nothing is spent. Refuses `INVALID_OOB_CODE` and `EXPIRED_OOB_CODE`.
    func look(at code: OobCode, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamCode
    /// Does what a code allows, once: there is no asking twice. Refuses what the upstream refuses, which leaves the code as it was;
    /// `Unavailable.deed` says what is known where no answer came.
    /// - Parameter newPassword: for codes that reset a password, and for no others.
    func apply(_ code: OobCode, newPassword: String?, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamEffect
}

/// On whose behalf an upstream is asked.
package struct UpstreamCaller: Sendable, Hashable {
    /// One of the project's.
    package let apiKey: String
    /// A BCP 47 tag, for mails that the upstream sends; nil: the project's own.
    package let language: String?
    /// The page that the person is on, as a browser there would say: keys may be restricted to websites.
    package let page: WebURL

    package init(apiKey: String, language: String?, page: WebURL) {
        self.apiKey = apiKey
        self.language = language
        self.page = page
    }
}

/// What an upstream says of a live code.
package struct UpstreamCode: Sendable, Hashable {
    package let action: Action
    /// The address that it is about, as pages show it; nil for `signIn`.
    package let email: String?
    /// The address changed to, or for `recoverEmail` perhaps the present one.
    package let newEmail: String?
    /// What pages call the second factor that goes.
    package let secondFactor: String?

    package init(action: Action, email: String?, newEmail: String?, secondFactor: String?) {
        self.action = action
        self.email = email
        self.newEmail = newEmail
        self.secondFactor = secondFactor
    }
}

/// What an upstream says of what it did.
package struct UpstreamEffect: Sendable, Hashable {
    /// Nil where it does not tell, as after a reset.
    package let account: AccountID?
    /// The account's address as it is now.
    package let email: String?

    package init(account: AccountID?, email: String?) {
        self.account = account
        self.email = email
    }
}
