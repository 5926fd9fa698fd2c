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

    /// The letter with its envelope. The sender that the project's own template names comes first.
    public func mail(_ letter: Letter, id: MailID, _ content: RenderedMail, of project: Project) -> OutgoingMail {
        let own = self.of(project)
        let head = project.templates[letter.kind]?.letterhead
        let address = head?.senderLocalPart.flatMap { EmailAddress("\($0)@\(own.from.address.domain)") } ?? own.from.address
        return OutgoingMail(
            id: id.description, project: project.id, letter, content,
            from: Mailbox(name: head?.senderDisplayName ?? own.from.name ?? project.displayName, address: address),
            replyTo: head?.replyTo.flatMap { EmailAddress($0) } ?? own.replyTo, envelopeFrom: own.envelopeFrom ?? own.from.address)
    }
}
