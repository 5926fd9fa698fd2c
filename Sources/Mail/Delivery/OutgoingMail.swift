package import Accounts
package import EmailActions

/// A rendered mail with its envelope, ready for a transport.
package struct OutgoingMail: Sendable {
    /// The local part of the Message-ID, the same for each attempt (M3).
    package let id: String
    package let project: ProjectID
    package let kind: LetterKind
    /// The language of the text, as a BCP 47 tag.
    package let language: String
    /// The time at which the mail was asked for, for the `Date` field.
    package let createdAt: Timestamp
    /// The time at which the mail's link expires; nil if it has none.
    package let expiresAt: Timestamp?
    package let sender: Mailbox
    package let replyTo: EmailAddress?
    /// The address to which relays report that a mail could not be delivered.
    package let envelopeFrom: EmailAddress
    package let recipient: EmailAddress
    package let content: ComposedLetter

    package init(
        id: String, project: ProjectID, kind: LetterKind, language: String, createdAt: Timestamp, expiresAt: Timestamp? = nil,
        sender: Mailbox, replyTo: EmailAddress?, envelopeFrom: EmailAddress, recipient: EmailAddress, content: ComposedLetter
    ) {
        self.id = id
        self.project = project
        self.kind = kind
        self.language = language
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.sender = sender
        self.replyTo = replyTo
        self.envelopeFrom = envelopeFrom
        self.recipient = recipient
        self.content = content
    }
}
