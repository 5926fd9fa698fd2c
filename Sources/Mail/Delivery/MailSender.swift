public import Accounts

/// The sender of mails.
public struct MailSender: Sendable, Hashable {
    /// The sender that recipients see. Without a name, the project's name is shown.
    public var from: Mailbox
    public var replyTo: EmailAddress?
    /// The address that relays report failures to; nil: the sender's.
    public var envelopeFrom: EmailAddress?

    public init(from: Mailbox, replyTo: EmailAddress? = nil, envelopeFrom: EmailAddress? = nil) {
        (self.from, self.replyTo, self.envelopeFrom) = (from, replyTo, envelopeFrom)
    }

    /// The sender of a project's mails. The project may have its own addresses.
    public func of(_ project: Project) -> MailSender {
        let own = project.mail
        return MailSender(from: own.from ?? from, replyTo: own.replyTo ?? replyTo, envelopeFrom: own.envelopeFrom ?? envelopeFrom)
    }

    /// The mail with its envelope. What the project's own template says of the sender comes first.
    public func mail(_ mail: StoredMail, _ content: ComposedLetter, of project: Project) -> OutgoingMail {
        let own = self.of(project)
        let head = content.letterhead
        let address = head?.senderLocalPart.flatMap { EmailAddress("\($0)@\(own.from.address.domain)") } ?? own.from.address
        return OutgoingMail(
            id: mail.id.description, project: mail.project, kind: mail.kind, language: mail.language, createdAt: mail.createdAt,
            expiresAt: mail.uselessAfter,
            sender: Mailbox(name: head?.senderDisplayName ?? own.from.name ?? project.displayName, address: address),
            replyTo: head?.replyTo.flatMap { EmailAddress($0) } ?? own.replyTo, envelopeFrom: own.envelopeFrom ?? own.from.address,
            recipient: mail.recipient, content: content)
    }
}
