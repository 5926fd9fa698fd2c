internal import Accounts
internal import Base
internal import Cryptography

/// The webhooks of Mailgun. The signature covers a time and a token, not the body.
struct MailgunFeedback: FeedbackSource {
    private let key: HMACKey

    init(signingKey: String) { key = HMACKey(Array(signingKey.utf8), .sha256) }

    /// Source: Mailgun, *Securing webhooks*.
    func message(in request: FeedbackRequest, at now: Timestamp) throws(FeedbackError) -> FeedbackMessage {
        guard let json = try? JSON(request.body), let proof = json["signature"], let time = proof["timestamp"]?.text.unquoted,
            let token = proof["token"]?.string, let signature = proof["signature"]?.string, let moment = Timestamp(secondsText: time)
        else { throw .unauthentic("it has no signature") }
        try moment.requireRecent(at: now)
        let signed = Array("\(time)\(token)".utf8)
        let code = key.authenticate(signed)
        guard ConstantTime.equal(Array(signature.utf8), code.hexDigits) else { throw .unauthentic("its signature is wrong") }
        return FeedbackMessage(id: signed, isBodyUnproven: true, reports: [json["event-data"].flatMap(report)].compactMap(\.self))
    }

    /// A mail that Mailgun's own list stopped (`suppress-bounce`), or that Mailgun gave up (`old`),
    /// says nothing new about the mailbox.
    private func report(_ event: JSON) -> MailFeedback? {
        switch event["event"]?.string {
        case "failed":
            let isHard = event["severity"]?.string == "permanent" && event["reason"]?.string == "bounce"
            let answer = event["delivery-status"]
            return MailFeedback(isHard ? .permanent(answer?["message"], answer?["description"]) : .softBounce, of: event["recipient"])
        case "complained": return MailFeedback(.complaint, of: event["recipient"])
        default: return nil
        }
    }
}

extension [UInt8] {
    /// Two lower-case hexadecimal digits for each byte.
    fileprivate var hexDigits: [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}

extension String {
    /// The text of a JSON string of digits, or of a number.
    fileprivate var unquoted: String { hasPrefix("\"") ? String(dropFirst().dropLast()) : self }
}
