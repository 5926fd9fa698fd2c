public import Accounts
public import Base

/// A rendered mail with its envelope, ready for a transport.
public struct OutgoingMail: Sendable {
    /// The local part of the Message-ID, the same for each attempt (M3).
    public let id: String
    public let project: ProjectID
    public let kind: LetterKind
    /// The language of the text, as a BCP 47 tag.
    public let language: String
    /// The time at which the mail was asked for, for the `Date` field.
    public let createdAt: Timestamp
    /// The time at which the mail's link expires; nil if it has none.
    public let expiresAt: Timestamp?
    public let sender: Mailbox
    public let replyTo: EmailAddress?
    /// The address that relays report undeliverable mails to.
    public let envelopeFrom: EmailAddress
    public let recipient: EmailAddress
    public let content: ComposedLetter

    public init(
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
