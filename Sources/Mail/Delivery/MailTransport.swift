public import Accounts

/// A way to hand mails over: to SMTP relays, or to a webhook.
public protocol MailTransport: Sendable {
    /// Hands a mail over. Returns within deadlines of the transport's own, and does not try again.
    func send(_ mail: OutgoingMail) async -> DeliveryOutcome
}

/// The result of one attempt to hand a mail over.
public struct DeliveryOutcome: Sendable, Hashable {
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// The relay has taken responsibility for the mail.
        case accepted
        /// The mail can be tried again later.
        case deferred
        /// The mail will never be accepted.
        case refused
    }

    public let verdict: Verdict
    /// The relay that answered, without credentials, such as `smtp.example.com:587`; nil if none
    /// was tried.
    public let relay: String?
    /// The relay's answer or the reason why there is none, as one line without control characters.
    public let answer: String
    /// Whether the failure concerns the relay or its configuration instead of this mail, so that
    /// other mails would fail too.
    public internal(set) var concernsRelay: Bool
    /// The kind of feedback in the answer, if it says more than that the mail is refused.
    public let feedback: MailFeedback.Kind?

    public init(
        _ verdict: Verdict, relay: String?, answer: String, concernsRelay: Bool = false, feedback: MailFeedback.Kind? = nil
    ) {
        self.verdict = verdict
        self.relay = relay
        self.answer = answer
        self.concernsRelay = concernsRelay
        self.feedback = feedback
    }
}
