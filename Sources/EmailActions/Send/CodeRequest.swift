package import Accounts

/// A request for a link: its action, its account, and the settings that its project approved.
package struct CodeRequest: Sendable {
    /// The account that the request names.
    package enum Subject: Sendable, Hashable {
        /// The account's address, which is public knowledge.
        case address(EmailAddress)
        /// The account of an ID token, as it was when the token was verified.
        case account(Account)
    }

    package let action: Action
    package let subject: Subject
    package let settings: ApprovedSettings
    /// The new address, only for `verifyAndChangeEmail`.
    package var newEmail: EmailAddress?
    /// The language as a BCP 47 tag; nil: the account's language.
    package var language: String?
    /// The API key for the link; nil: the project's link key.
    package var apiKey: String?
    /// Whether the link is mailed; for admins it can be returned instead.
    package var mails = true
    package var requester = Requester.unknown
    /// Whether an admin asks, who may mail an address as often as needed.
    package var isByAdmin = false

    var project: Project { settings.project }

    package init(_ action: Action, for subject: Subject, with settings: ApprovedSettings) {
        self.action = action
        self.subject = subject
        self.settings = settings
    }
}

/// A link that was created and stored.
package struct IssuedCode: Sendable {
    package let action: Action
    package let project: ProjectID
    package let code: OobCode
    package let email: EmailAddress
    package let newEmail: EmailAddress?
    /// The link as mailed: the action link, or an app link that contains it.
    package let link: String
    package let expiresAt: Timestamp

    package init(
        action: Action, project: ProjectID, code: OobCode, email: EmailAddress, newEmail: EmailAddress?, link: String, expiresAt: Timestamp
    ) {
        (self.action, self.project, self.code, self.email, self.newEmail) = (action, project, code, email, newEmail)
        (self.link, self.expiresAt) = (link, expiresAt)
    }
}
