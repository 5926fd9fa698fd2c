package import Accounts
package import EmailActions

/// The sender of the mails of one project.
package struct MailSender: Sendable, Hashable {
    /// The sender that recipients see. Without a name, the project's name is shown.
    package var from: Mailbox
    package var replyTo: EmailAddress?
    /// The address to which relays report failures; nil: the sender's.
    package var envelopeFrom: EmailAddress?

    package init(from: Mailbox, replyTo: EmailAddress? = nil, envelopeFrom: EmailAddress? = nil) {
        (self.from, self.replyTo, self.envelopeFrom) = (from, replyTo, envelopeFrom)
    }

    /// The mail with its envelope. What the project's own template says of the sender comes first.
    package func mail(_ mail: StoredMail, _ content: ComposedLetter, of project: Project) -> OutgoingMail {
        let head = content.letterhead
        let address = head?.senderLocalPart.flatMap { EmailAddress("\($0)@\(from.address.domain)") } ?? from.address
        return OutgoingMail(
            id: mail.id, project: mail.project, kind: mail.kind, language: mail.language, createdAt: mail.createdAt,
            expiresAt: mail.uselessAfter,
            sender: Mailbox(name: head?.senderDisplayName ?? from.name ?? project.displayName, address: address),
            replyTo: head?.replyTo.flatMap { EmailAddress($0) } ?? replyTo, envelopeFrom: envelopeFrom ?? from.address,
            recipient: mail.recipient, content: content)
    }
}
