internal import Accounts
internal import Base
internal import Cryptography

/// Onward's own format, for providers that have none here: signed by Standard Webhooks, as
/// `Docs/MailFeedback.md` describes it.
struct PlainFeedback: FeedbackSource {
    let key: WebhookKey

    /// Source: Standard Webhooks, *Verifying webhook authenticity*.
    private static let tolerance = Duration.minutes(5)

    func message(in request: FeedbackRequest, at now: Timestamp) throws(FeedbackError) -> FeedbackMessage {
        guard let id = request.field("webhook-id"), !id.isEmpty,
            let moment = request.field("webhook-timestamp").flatMap(Timestamp.init(secondsText:)),
            let signatures = request.field("webhook-signature")
        else { throw .unauthentic("a field of Standard Webhooks is missing") }
        try moment.requireRecent(at: now, within: Self.tolerance)
        let expected = Array("v1,\(key.signature(of: request.body, id: id, at: moment.seconds))".utf8)
        guard signatures.split(separator: " ").contains(where: { ConstantTime.equal(Array($0.utf8), expected) }) else {
            throw .unauthentic("its signature is wrong")
        }
        return FeedbackMessage(id: Array(id.utf8), reports: try reports(in: request))
    }

    private func reports(in request: FeedbackRequest) throws(FeedbackError) -> [MailFeedback] {
        let json = try request.json()
        guard let type = json["type"]?.string else { throw .malformed("type is missing") }
        guard let data = json["data"] else { return [] }
        let kind: MailFeedback.Kind
        switch type {
        case "mail.bounced": kind = data["permanent"] == .bool(true) ? .permanent(data["answer"]) : .softBounce
        case "mail.complained": kind = .complaint
        default: return []
        }
        guard data["to"]?.string != nil else { throw .malformed("data.to is missing") }
        return [MailFeedback(kind, of: data["to"])].compactMap(\.self)
    }
}
