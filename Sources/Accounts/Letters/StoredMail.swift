public import Base

/// A mail that waits in the outbox, written in the transaction of its code or of the change that it
/// reports.
public struct StoredMail: Sendable, Hashable {
    public let id: MailID
    public let project: ProjectID
    /// The account that the mail concerns. When it is deleted, so is the mail.
    public let account: AccountID?
    /// The row id of the mail's code; nil for a notice.
    public let code: Int64?
    public let recipient: EmailAddress
    /// The keyed hash of project and recipient, which stays when the mail was sent.
    public let recipientDigest: Digest
    public let kind: LetterKind
    public let language: String
    /// A number for the network from which the mail was asked for, for fair turns; 0 if unknown.
    public let source: Int64
    /// The letter, encrypted, because it contains the link, which the database must not (C2).
    public let sealed: [UInt8]
    public let createdAt: Timestamp
    /// The time at which its code expires, after which the mail is not sent (M4); nil for notices.
    public let uselessAfter: Timestamp?
    /// The number of attempts to send it, with that of its lease. It tells a lease from later ones.
    public var attempts: Int

    public init(
        id: MailID, project: ProjectID, account: AccountID? = nil, code: Int64? = nil, recipient: EmailAddress, recipientDigest: Digest,
        kind: LetterKind, language: String, source: Int64 = 0, sealed: [UInt8], createdAt: Timestamp, uselessAfter: Timestamp?,
        attempts: Int = 0
    ) {
        self.id = id
        self.project = project
        self.account = account
        self.code = code
        self.recipient = recipient
        self.recipientDigest = recipientDigest
        self.kind = kind
        self.language = language
        self.source = source
        self.sealed = sealed
        self.createdAt = createdAt
        self.uselessAfter = uselessAfter
        self.attempts = attempts
    }
}

/// The subject matter of a mail: an action that its link asks for, or a change that it reports.
///
/// The raw value is a column of the outbox.
public enum LetterKind: Sendable, Hashable, CaseIterable, RawRepresentable, Codable, CodingKeyRepresentable {
    case action(Action)
    /// A link to the choice of a first password, from an admin.
    case invitation
    case notice(Notice)

    /// A change that a mail without a link reports to the owner of an address.
    public enum Notice: String, Sendable, Hashable, CaseIterable {
        case providerAdded, passwordAdded, passwordChanged, passwordRemoved, emailChanged, secondFactorRemoved, accountDeleted
        /// An undo gave the account this address back.
        case emailRestored
        /// An undo took the address from an account.
        case addressLeft
        /// An admin invited the owner of an account.
        case alreadyMember
        /// A reset was asked for, which gives no password to an account of providers.
        case noPassword
        case providerRemoved, recoveryCodeUsed
        /// An admin ended all sessions.
        case sessionsEnded
        /// Someone tried to sign up with the address.
        case registrationTried
        /// The user signed in from a network that is not among those of the last months.
        case newNetwork
        /// A reset was asked for an address without an account.
        case noAccount
    }

    public static var allCases: [LetterKind] {
        Action.allCases.map(Self.action) + [.invitation] + Notice.allCases.map(Self.notice)
    }

    private static let invitationName = "invitation"

    public init?(rawValue: String) {
        let kind = Action(rawValue: rawValue).map(Self.action) ?? Notice(rawValue: rawValue).map(Self.notice)
        guard let kind = rawValue == Self.invitationName ? .invitation : kind else { return nil }
        self = kind
    }

    public var rawValue: String {
        switch self {
        case .action(let action): action.rawValue
        case .invitation: Self.invitationName
        case .notice(let notice): notice.rawValue
        }
    }

    /// Whether a person waits for the mail: mails that were asked for go before notices and links
    /// that undo a change.
    public var isAskedFor: Bool { self != .invitation && action.map { !$0.isUndo } ?? false }

    /// Whether the mail answers a request, so that it was decided then whether its recipient is
    /// suppressed.
    var answersRequest: Bool { isAskedFor || self == .notice(.noAccount) || self == .notice(.noPassword) }

    /// The action that the mail's link asks for; nil for a notice.
    public var action: Action? {
        switch self {
        case .action(let action): action
        case .invitation: .resetPassword
        case .notice: nil
        }
    }

    /// The name of the mail's template in a project's settings.
    var templateField: String { if case .action(let action) = self { action.templateField } else { rawValue + "Template" } }
}
