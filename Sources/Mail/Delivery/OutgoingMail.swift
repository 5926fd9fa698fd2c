public import Accounts

/// A rendered letter with its envelope, ready for a transport.
public struct OutgoingMail: Sendable {
    /// The local part of the Message-ID, the same for each attempt (M3).
    public let id: String
    public let project: ProjectID
    public let letter: Letter
    public let content: RenderedMail
    public let sender: Mailbox
    public let replyTo: EmailAddress?
    /// The address that relays report undeliverable mails to.
    public let envelopeFrom: EmailAddress

    public init(
        id: String, project: ProjectID, _ letter: Letter, _ content: RenderedMail, from sender: Mailbox, replyTo: EmailAddress?,
        envelopeFrom: EmailAddress
    ) {
        self.id = id
        self.project = project
        self.letter = letter
        self.content = content
        self.sender = sender
        self.replyTo = replyTo
        self.envelopeFrom = envelopeFrom
    }
}
