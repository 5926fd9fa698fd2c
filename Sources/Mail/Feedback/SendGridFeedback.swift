internal import Accounts
internal import Base
internal import Cryptography

/// The signed event webhook of SendGrid, which sends many events in one request.
struct SendGridFeedback: FeedbackSource {
    let key: P256PublicKey

    /// Source: Twilio SendGrid, *Event Webhook Security Features*.
    func message(in request: FeedbackRequest, at now: Timestamp) throws(FeedbackError) -> FeedbackMessage {
        guard let time = request.field("x-twilio-email-event-webhook-timestamp"), let moment = Timestamp(secondsText: time),
            let signature = request.field("x-twilio-email-event-webhook-signature").flatMap(Base64URL.decodeAnySpelling)
        else { throw .unauthentic("it has no signature") }
        try moment.requireRecent(at: now)
        let signed = Array(time.utf8) + request.body
        guard key.verifies(signature, of: signed) else { throw .unauthentic("its signature is wrong") }
        guard let events = try request.json().items else { throw .malformed("its body is not a list") }
        return FeedbackMessage(id: signed, reports: events.compactMap(report))
    }

    /// A mail that SendGrid's own list stopped (`dropped`) says nothing new about the mailbox; one
    /// that was `blocked` may be accepted later.
    private func report(_ event: JSON) -> MailFeedback? {
        switch event["event"]?.string {
        case "bounce": MailFeedback(event["type"]?.string == "bounce" ? .permanent(event["reason"]) : .softBounce, of: event["email"])
        case "dropped": MailFeedback(.softBounce, of: event["email"])
        case "spamreport": MailFeedback(.complaint, of: event["email"])
        default: nil
        }
    }
}
