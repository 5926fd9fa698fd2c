package import Accounts
package import WebURL

/// A client of another Identity Toolkit, for projects whose accounts and codes are kept there.
package protocol UpstreamToolkit: Sendable {
    /// Inspects a live code without spending it. Refuses `INVALID_OOB_CODE` and `EXPIRED_OOB_CODE`.
    func look(at code: OobCode, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamCode
    /// Applies a code once; the call cannot be repeated. Throws the upstream's refusals, after
    /// which the code is unchanged. If no answer was received, `Unavailable.commitState` says what
    /// is known of the outcome.
    /// - Parameter newPassword: the new password, only for codes that reset one.
    func apply(_ code: OobCode, newPassword: String?, for caller: UpstreamCaller) async throws(ActionError) -> UpstreamEffect
    /// Has a password reset mailed.
    func sendPasswordReset(to email: EmailAddress, for caller: UpstreamCaller) async throws(ActionError)
}

/// The caller on whose behalf an upstream is asked.
package struct UpstreamCaller: Sendable, Hashable {
    /// An API key of the project.
    package let apiKey: String
    /// The BCP 47 tag for mails that the upstream sends; nil: the project's language.
    package let language: String?
    /// The URL of the page that the user is on, sent as a browser would send it, because API keys
    /// may be restricted to websites.
    package let page: WebURL
    /// The tenant of the Identity Platform that the account belongs to; nil for most projects.
    package let tenant: String?

    package init(apiKey: String, language: String?, page: WebURL, tenant: String? = nil) {
        self.apiKey = apiKey
        self.language = language
        self.page = page
        self.tenant = tenant
    }
}

/// An upstream's answer about a live code.
package struct UpstreamCode: Sendable, Hashable {
    package let action: Action
    /// The address that the code is about, as pages show it; nil for `signIn`.
    package let email: String?
    /// The new address; for `recoverEmail` it may be the present one.
    package let newEmail: String?
    /// The name by which pages show the second factor to be removed.
    package let secondFactor: String?

    package init(action: Action, email: String?, newEmail: String?, secondFactor: String?) {
        self.action = action
        self.email = email
        self.newEmail = newEmail
        self.secondFactor = secondFactor
    }
}

/// An upstream's answer about an action that it applied.
package struct UpstreamEffect: Sendable, Hashable {
    /// The account; nil if the upstream does not report it, as after a reset.
    package let account: AccountID?
    /// The account's address after the action.
    package let email: String?

    package init(account: AccountID?, email: String?) {
        self.account = account
        self.email = email
    }
}
