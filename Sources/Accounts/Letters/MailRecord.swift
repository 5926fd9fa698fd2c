public import Base

/// The history of a mail, for the question of a user who never got it. It contains neither the link
/// nor the code.
public struct MailRecord: Sendable, Hashable {
    /// The state of the code that the mail carries. Opening a link is not recorded.
    public enum Code: String, Sendable, CaseIterable {
        case live, used, withdrawn, expired
    }

    public let id: MailID
    public let project: ProjectID
    /// The account that it concerns; nil if there is none.
    public let account: AccountID?
    public let kind: LetterKind
    public let language: String
    public let createdAt: Timestamp
    /// The number of attempts to send it.
    public let attempts: Int
    /// The time of the next attempt, or the end of the one that is under way; nil if it can be sent
    /// now, or has ended.
    public let dueAt: Timestamp?
    /// Nil while it waits.
    public let end: MailEndReason?
    public let endedAt: Timestamp?
    /// The last relay that was asked, and its answer.
    public let relay: String?
    public let answer: String?
    /// Nil for a notice, and for a code that was purged.
    public let code: Code?

    public init(
        id: MailID, project: ProjectID, account: AccountID? = nil, kind: LetterKind, language: String, createdAt: Timestamp, attempts: Int,
        dueAt: Timestamp?, end: MailEndReason?, endedAt: Timestamp?, relay: String?, answer: String?, code: Code?
    ) {
        self.id = id
        self.project = project
        self.account = account
        self.kind = kind
        self.language = language
        self.createdAt = createdAt
        self.attempts = attempts
        self.dueAt = dueAt
        self.end = end
        self.endedAt = endedAt
        self.relay = relay
        self.answer = answer
        self.code = code
    }
}
