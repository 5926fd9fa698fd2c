public import Base

/// A client of another Identity Toolkit, for projects whose accounts and codes are kept there.
public protocol UpstreamToolkit: Sendable {
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
public struct UpstreamCaller: Sendable, Hashable {
    /// An API key of the project.
    public let apiKey: String
    /// The BCP 47 tag for mails that the upstream sends; nil: the project's language.
    public let language: String?
    /// The URL of the page that the user is on, sent as a browser would send it, because API keys
    /// may be restricted to websites.
    public let page: WebURL
    /// The tenant of the Identity Platform that the account belongs to; nil for most projects.
    public let tenant: String?
    /// The network of the user; such networks take turns. Nil for Onward itself.
    public let network: String?

    public init(apiKey: String, language: String?, page: WebURL, tenant: String? = nil, network: String? = nil) {
        self.apiKey = apiKey
        self.language = language
        self.page = page
        self.tenant = tenant
        self.network = network
    }
}

/// An upstream's answer about a live code.
public struct UpstreamCode: Sendable, Hashable {
    public let action: Action
    /// The address that the code is about, as pages show it; nil for `signIn`.
    public let email: String?
    /// The new address; for `recoverEmail` it may be the present one.
    public let newEmail: String?
    /// The name that pages show for the second factor to be removed.
    public let secondFactor: String?

    public init(action: Action, email: String?, newEmail: String?, secondFactor: String?) {
        self.action = action
        self.email = email
        self.newEmail = newEmail
        self.secondFactor = secondFactor
    }
}

/// An upstream's answer about an action that it applied.
public struct UpstreamEffect: Sendable, Hashable {
    /// The account; nil if the upstream does not report it, as after a reset.
    public let account: AccountID?
    /// The account's address after the action.
    public let email: String?

    public init(account: AccountID?, email: String?) {
        self.account = account
        self.email = email
    }
}
