internal import Accounts
internal import Base
internal import Cryptography

/// The webhooks of Postmark for bounces and spam complaints. Postmark signs nothing: the URL that
/// it is given contains a user and a password.
struct PostmarkFeedback: FeedbackSource {
    let credentials: FeedbackSettings.Credentials

    func message(in request: FeedbackRequest, at now: Timestamp) throws(FeedbackError) -> FeedbackMessage {
        let field = request.field("authorization") ?? ""
        guard field.prefix("Basic ".count).lowercased() == "basic ",
            let shown = Base64URL.decodeAnySpelling(String(field.dropFirst("Basic ".count))),
            ConstantTime.equal(shown, Array("\(credentials.user):\(credentials.password)".utf8))
        else { throw .unauthentic("its user or password is wrong") }
        return FeedbackMessage(id: request.body, reports: try reports(in: request))
    }

    /// Source: Postmark, *Bounce webhook*, *Spam complaint webhook*.
    private func reports(in request: FeedbackRequest) throws(FeedbackError) -> [MailFeedback] {
        let json = try request.json()
        let kind: MailFeedback.Kind
        switch json["RecordType"]?.string {
        case "Bounce": kind = json["Type"]?.string == "HardBounce" ? .permanent(json["Details"], json["Description"]) : .softBounce
        case "SpamComplaint": kind = .complaint
        case nil: throw .malformed("RecordType is missing")
        default: return []
        }
        return [MailFeedback(kind, of: json["Email"])].compactMap(\.self)
    }
}
