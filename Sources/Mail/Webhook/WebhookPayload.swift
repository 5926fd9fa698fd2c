internal import Accounts
internal import Base

/// The body of a webhook request: a finished mail and the parts it was made of.
struct WebhookPayload {
    let json: JSON

    init(_ mail: OutgoingMail) {
        let data: JSON = .object([
            "id": .string(mail.id),
            "project": .string(mail.project.rawValue),
            "kind": .string(mail.letter.kind.rawValue),
            "language": .string(mail.letter.language),
            "createdAt": .string(mail.letter.createdAt.iso8601),
            "expiresAt": .string(ifAny: mail.letter.expiresAt?.iso8601),
            "to": .string(mail.letter.recipient.value),
            "from": .object(["address": .string(mail.sender.address.value), "name": .string(ifAny: mail.sender.name)]),
            "replyTo": .string(ifAny: mail.replyTo?.value),
            "envelopeFrom": .string(mail.envelopeFrom.value),
            "subject": .string(mail.content.subject),
            "text": .string(mail.content.text),
            "html": .string(mail.content.html),
            "link": .string(ifAny: mail.letter.link),
            "confirmationNumber": .string(ifAny: mail.letter.confirmationNumber),
        ])
        json = .object(["type": "mail.created", "timestamp": .string(mail.letter.createdAt.iso8601), "data": data])
    }
}
