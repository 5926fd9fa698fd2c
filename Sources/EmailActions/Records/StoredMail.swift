package import Accounts

/// A mail in the outbox, written in the transaction of its code and kept until it is delivered.
package struct StoredMail: Sendable, Hashable {
    /// The id, which is also the local part of the Message-ID and the same for each attempt (M3).
    package let id: String
    package let project: ProjectID
    package let recipient: EmailAddress
    package let kind: LetterKind
    package let language: String
    /// The subject, text and HTML, encrypted, because they contain the link, which the database
    /// must not (C2).
    package let sealed: [UInt8]
    package let createdAt: Timestamp
    /// The time at which its code expires, after which the mail is not sent (M4); nil for notices.
    package let uselessAfter: Timestamp?

    package init(
        id: String, project: ProjectID, recipient: EmailAddress, kind: LetterKind, language: String, sealed: [UInt8], createdAt: Timestamp,
        uselessAfter: Timestamp?
    ) {
        self.id = id
        self.project = project
        self.recipient = recipient
        self.kind = kind
        self.language = language
        self.sealed = sealed
        self.createdAt = createdAt
        self.uselessAfter = uselessAfter
    }
}

/// The subject matter of a mail: an action that its link asks for, or a change that it reports.
///
/// The raw value is a column of the outbox.
package enum LetterKind: Sendable, Hashable, CaseIterable, RawRepresentable {
    case action(Action)
    case notice(Notice)

    /// A change that a mail without a link reports to the owner of an address.
    package enum Notice: String, Sendable, Hashable, CaseIterable {
        case passwordChanged, emailChanged, emailRestored, secondFactorRemoved
    }

    package static var allCases: [LetterKind] { Action.allCases.map(Self.action) + Notice.allCases.map(Self.notice) }

    package init?(rawValue: String) {
        guard let kind = Action(rawValue: rawValue).map(Self.action) ?? Notice(rawValue: rawValue).map(Self.notice) else { return nil }
        self = kind
    }

    package var rawValue: String {
        switch self {
        case .action(let action): action.rawValue
        case .notice(let notice): notice.rawValue
        }
    }

    /// The action that the mail's link asks for; nil for a notice.
    package var action: Action? { if case .action(let action) = self { action } else { nil } }
}
