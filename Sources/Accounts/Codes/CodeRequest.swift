public import Base

/// A request for a link: its action, its account, and the settings that its project approved.
public struct CodeRequest: Sendable {
    /// The account that the request names.
    public enum Subject: Sendable, Hashable {
        /// The account's address, which is public knowledge.
        case address(EmailAddress)
        /// The account of an ID token, as it was when the token was verified.
        case account(Account)
    }

    public let action: Action
    public let subject: Subject
    public let settings: ApprovedSettings
    /// The new address of `verifyAndChangeEmail`, or the one that replaced that of `recoverEmail`.
    public var newEmail: EmailAddress?
    /// The language as a BCP 47 tag; nil: the account's language.
    public var language: String?
    /// The API key for the link; nil: the project's link key.
    public var apiKey: String?
    /// Whether the link is mailed; for admins it can be returned instead.
    public var mails = true
    /// Whether the page of an earlier link asks.
    var isSentAgain = false
    /// The client that asks.
    var client = Client.admin
    /// Whether an admin invites the reader, whose link works longer.
    var invites = false
    /// Whether an admin asks, who may mail an address as often as needed.
    public var isByAdmin = false

    var project: Project { settings.project }
    /// The present address of the subject; nil for an account without one.
    var email: EmailAddress? {
        switch subject {
        case .address(let email): email
        case .account(let account): account.email
        }
    }

    public init(_ action: Action, for subject: Subject, with settings: ApprovedSettings) {
        self.action = action
        self.subject = subject
        self.settings = settings
    }
}

/// A link that was created and stored.
public struct IssuedCode: Sendable {
    public let action: Action
    public let project: ProjectID
    public let code: OobCode
    public let email: EmailAddress
    public let newEmail: EmailAddress?
    /// The link as mailed: the action link, or an app link that contains it.
    public let link: String
    public let expiresAt: Timestamp

    public init(
        action: Action, project: ProjectID, code: OobCode, email: EmailAddress, newEmail: EmailAddress?, link: String, expiresAt: Timestamp
    ) {
        (self.action, self.project, self.code, self.email, self.newEmail) = (action, project, code, email, newEmail)
        (self.link, self.expiresAt) = (link, expiresAt)
    }
}
