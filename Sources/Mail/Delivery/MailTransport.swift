public import Accounts

/// A way to hand mails over: to SMTP relays, or to a webhook.
public protocol MailTransport: Sendable {
    /// Hands a mail over. Returns within deadlines of the transport's own, and does not try again.
    func send(_ mail: OutgoingMail) async -> DeliveryOutcome
}

extension DeliveryOutcome {
    static func accepted(_ answer: String) -> DeliveryOutcome { DeliveryOutcome(.accepted, answer: answer) }

    static func deferred(_ answer: String, _ cause: Cause) -> DeliveryOutcome { DeliveryOutcome(.deferred, answer: answer, cause: cause) }

    static func refused(_ answer: String, _ cause: Cause = .mail, feedback: MailFeedback.Kind? = nil) -> DeliveryOutcome {
        DeliveryOutcome(.refused, answer: answer, cause: cause, feedback: feedback)
    }
}
