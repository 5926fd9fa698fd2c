/// The result of one attempt to deliver a mail.
public struct DeliveryOutcome: Sendable, Hashable {
    public enum Verdict: String, Sendable, Hashable, CaseIterable {
        /// The relay has taken responsibility for the mail.
        case accepted
        /// The mail can be tried again later.
        case deferred
        /// The mail will never be accepted.
        case refused
    }

    /// The subject of a failure, which decides what other mails and other relays can expect.
    public enum Cause: Sendable, Hashable {
        /// The mail or its recipient.
        case mail
        /// The relay does not take this mail from here; another may, because the relay lacks an
        /// extension, or because of its policy.
        case policy
        /// The relay, or the way in which it is configured.
        case relay
        /// The credentials.
        case credentials
        /// The answer to a whole message was lost, so the relay may have accepted it.
        case lostAnswer
        /// The relay was not asked, because it failed before or because its rate is used up.
        case notAsked
    }

    public let verdict: Verdict
    /// The relay that answered, without credentials, such as `smtp.example.com:587`; nil if none
    /// was tried.
    public var relay: String?
    /// The relay's answer or the reason why there is none, as one line without control characters.
    public let answer: String
    /// The subject of the failure; `mail` if the mail was accepted.
    public var cause: Cause
    /// The kind of feedback in the answer, if it says more than that the mail is refused.
    public let feedback: MailFeedback.Kind?

    public init(
        _ verdict: Verdict, relay: String? = nil, answer: String, cause: Cause = .mail, feedback: MailFeedback.Kind? = nil
    ) {
        self.verdict = verdict
        self.relay = relay
        self.answer = answer
        self.cause = cause
        self.feedback = feedback
    }

    /// Whether other mails would fail too.
    public var concernsRelay: Bool { [.relay, .credentials, .notAsked].contains(cause) }
}

/// The reason why a mail no longer waits.
public enum MailEndReason: String, Sendable, CaseIterable {
    /// A relay took responsibility for it.
    case sent
    /// It was refused for good, or it waited or was tried for too long. An admin can retry it.
    case parked
    /// Its link expired before a relay took it.
    case expired
    /// An admin removed it.
    case dropped
}
