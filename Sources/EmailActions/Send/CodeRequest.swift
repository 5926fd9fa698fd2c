package import Accounts

/// A wish for a link: what it should do, for whom, and where the person goes afterwards.
package struct CodeRequest: Sendable {
    /// How the account was named.
    package enum Subject: Sendable, Hashable {
        /// By anyone who knows an address.
        case address(EmailAddress)
        /// By the account's own ID token, which proved it as it was then.
        case account(Account)
    }

    package let action: Action
    package let subject: Subject
    /// Only for `verifyAndChangeEmail`.
    package var newEmail: EmailAddress?
    package var settings = ActionCodeSettings()
    /// A BCP 47 tag; nil: the account's own.
    package var language: String?
    /// The API key for the link; nil: one of the project's.
    package var apiKey: String?
    /// False for admins who hand the link out themselves.
    package var mails = true

    package init(_ action: Action, for subject: Subject) {
        self.action = action
        self.subject = subject
    }
}

/// A link that was made.
package struct IssuedCode: Sendable {
    package let action: Action
    package let project: ProjectID
    package let code: OobCode
    package let email: EmailAddress
    package let newEmail: EmailAddress?
    /// As it is mailed: the action link, or an app link around it.
    package let link: String
    package let expiresAt: Timestamp
}
