package import Accounts

/// The history of a mail, for the question of a user who never got it. It contains neither the link
/// nor the code.
package struct MailRecord: Sendable, Hashable {
    /// The state of the code that the mail carries. Opening a link is not recorded.
    package enum Code: String, Sendable, CaseIterable {
        case live, used, withdrawn, expired
    }

    package let id: MailID
    package let project: ProjectID
    package let kind: LetterKind
    package let language: String
    package let createdAt: Timestamp
    /// The number of attempts to send it.
    package let attempts: Int
    /// The time of the next attempt, or the end of the one that is under way; nil if it can be sent
    /// now, or has ended.
    package let dueAt: Timestamp?
    /// Nil while it waits.
    package let end: MailEnd?
    package let endedAt: Timestamp?
    /// The last relay that was asked, and its answer.
    package let relay: String?
    package let answer: String?
    /// Nil for a notice, and for a code that was purged.
    package let code: Code?

    package init(
        id: MailID, project: ProjectID, kind: LetterKind, language: String, createdAt: Timestamp, attempts: Int,
        dueAt: Timestamp?, end: MailEnd?, endedAt: Timestamp?, relay: String?, answer: String?, code: Code?
    ) {
        self.id = id
        self.project = project
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
