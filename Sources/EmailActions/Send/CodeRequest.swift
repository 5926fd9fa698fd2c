package import Accounts

/// A request for a link: its action, its account, and the settings that its project approved.
package struct CodeRequest: Sendable {
    /// How the account is named.
    package enum Subject: Sendable, Hashable {
        /// By its address, which anyone may know.
        case address(EmailAddress)
        /// By its ID token: the account as it was when the token was verified.
        case account(Account)
    }

    package let action: Action
    package let subject: Subject
    package let settings: ApprovedSettings
    /// Only for `verifyAndChangeEmail`.
    package var newEmail: EmailAddress?
    /// A BCP 47 tag; nil: the account's language.
    package var language: String?
    /// The API key in the link; nil: the project's link key.
    package var apiKey: String?
    /// Whether the link is mailed; admins may have it returned instead.
    package var mails = true

    var project: Project { settings.project }

    package init(_ action: Action, for subject: Subject, with settings: ApprovedSettings) {
        self.action = action
        self.subject = subject
        self.settings = settings
    }
}

/// A link that was made and stored.
package struct IssuedCode: Sendable {
    package let action: Action
    package let project: ProjectID
    package let code: OobCode
    package let email: EmailAddress
    package let newEmail: EmailAddress?
    /// The link as it is mailed: the action link, or an app link around it.
    package let link: String
    package let expiresAt: Timestamp
}
