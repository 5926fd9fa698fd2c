package import Accounts

/// A mail in the outbox: written in the transaction of its code, kept until it was delivered.
package struct StoredMail: Sendable, Hashable {
    /// Also the local part of its Message-ID, the same at each try (M3).
    package let id: String
    package let project: ProjectID
    package let recipient: EmailAddress
    package let kind: LetterKind
    package let language: String
    /// Subject, text and HTML, sealed: they hold the link, and the database must not (C2).
    package let sealed: [UInt8]
    package let createdAt: Timestamp
    /// When its code expires: not worth sending afterwards (M4). Nil for notices.
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

/// What a mail is about; the raw value is a metric label and a column of the outbox.
package enum LetterKind: String, Sendable, Hashable, CaseIterable {
    case resetPassword, verifyEmail, signIn, verifyAndChangeEmail, recoverEmail, revertSecondFactorAddition
    case passwordChanged, emailChanged, emailRestored, secondFactorRemoved
}
