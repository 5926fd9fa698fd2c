internal import Accounts
internal import Base
internal import Cryptography

/// Notifications of Amazon SES by Amazon SNS.
struct SNSFeedback: FeedbackSource {
    let topic: SNSTopic
    let certificates: SNSCertificates

    /// The certificate is fetched last, and only from the host of the configured topic, whose name
    /// a stranger has to know before anything is fetched.
    /// Source: Amazon SNS, *Verifying the signatures of Amazon SNS messages*.
    func message(in request: FeedbackRequest, at now: Timestamp) async throws(FeedbackError) -> FeedbackMessage {
        guard let json = try? JSON(request.body), let signed = SNSMessage(json) else {
            throw .unauthentic("it is not signed by Amazon SNS")
        }
        guard signed.topic.utf8.elementsEqual(topic.name.utf8) else { throw .unauthentic("its topic is another one") }
        try signed.moment.requireRecent(at: now)
        guard topic.publishesCertificate(at: signed.certificateURL) else {
            throw .unauthentic("its certificate is not of the topic's region")
        }
        let key = try await certificates.key(at: signed.certificateURL)
        guard key.verifies(signed.signature, of: signed.text, with: signed.function) else { throw .unauthentic("its signature is wrong") }
        // The signed text does not tell where a member ends, so only the whole of it identifies a
        // message: a member of several lines can stand for several members.
        let id = signed.text
        switch signed.kind {
        case .notification: return FeedbackMessage(id: id, reports: try reports(in: signed.message))
        case .subscription: return FeedbackMessage(id: id, confirmationURL: signed.subscribeURL)
        case .unsubscription: return FeedbackMessage(id: id)
        }
    }

    /// Source: Amazon SES, *Notification contents*, *Event publishing contents*.
    private func reports(in text: String) throws(FeedbackError) -> [MailFeedback] {
        guard let json = try? JSON(Array(text.utf8)) else {
            // SNS says so in a sentence when notifications of SES are switched on.
            guard !text.hasPrefix("{") else { throw .malformed("its message is not JSON") }
            return []
        }
        switch (json["notificationType"] ?? json["eventType"])?.string {
        case "Bounce":
            guard let bounce = json["bounce"], let recipients = bounce["bouncedRecipients"]?.items else {
                throw .malformed("bounce.bouncedRecipients is missing")
            }
            // A mail that SES's own list stopped says nothing new about the mailbox.
            let isHard = bounce["bounceType"]?.string == "Permanent" && ["General", "NoEmail"].contains(bounce["bounceSubType"]?.string)
            return recipients.compactMap { MailFeedback(isHard ? .permanent($0["diagnosticCode"]) : .softBounce, of: $0["emailAddress"]) }
        case "Complaint":
            guard let complaint = json["complaint"], let recipients = complaint["complainedRecipients"]?.items else {
                throw .malformed("complaint.complainedRecipients is missing")
            }
            // `not-spam` takes a mail out of the spam folder.
            let isComplaint = complaint["complaintFeedbackType"]?.string != "not-spam" && complaint["complaintSubType"]?.string == nil
            return isComplaint ? recipients.compactMap { MailFeedback(.complaint, of: $0["emailAddress"]) } : []
        default: return []
        }
    }
}
