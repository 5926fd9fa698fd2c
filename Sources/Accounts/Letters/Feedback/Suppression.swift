public import Base

/// An address that gets fewer mails from a project than are asked for.
public struct Suppression: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The mailbox does not exist: no mails are sent.
        case bounce
        /// The recipient called a mail spam: no notices are sent. Links still are, because the
        /// owner asks for them, or needs them to undo an intruder's change (V1).
        case complaint
    }

    public let project: ProjectID
    /// The address as `Outbox.digest` hashes it.
    public let recipient: Digest
    public let reason: Reason
    public let provider: FeedbackProvider
    public let at: Timestamp
    /// The time at which it ends; nil: when an admin removes it.
    public let until: Timestamp?

    /// How long a mailbox counts as missing after a report. It may be created again, or the report
    /// may be wrong.
    public static let bounceSpan = Duration.days(7)

    public init(project: ProjectID, recipient: Digest, reason: Reason, provider: FeedbackProvider, at: Timestamp, until: Timestamp?) {
        self.project = project
        self.recipient = recipient
        self.reason = reason
        self.provider = provider
        self.at = at
        self.until = until
    }

    /// The suppression that a report causes; nil if it causes none.
    public init?(
        _ kind: MailFeedback.Kind, of recipient: Digest, in project: ProjectID, from provider: FeedbackProvider, at now: Timestamp
    ) {
        let reason: Reason
        switch kind {
        case .bounce: reason = .bounce
        case .complaint: reason = .complaint
        case .softBounce, .senderRefused: return nil
        }
        self.init(
            project: project, recipient: recipient, reason: reason, provider: provider, at: now,
            until: reason == .bounce ? now + Self.bounceSpan : nil)
    }

    func stops(_ kind: LetterKind) -> Bool { reason == .bounce || kind.action == nil || kind == .invitation }
}

/// A report as the store remembers it.
public struct RememberedReport: Sendable {
    /// A proof that does not cover the body it came with. It is bound to its first body.
    public struct Proof: Sendable {
        /// The digest of the proof alone.
        public let digest: Digest
        /// The digest of the proof together with the body.
        public let digestWithBody: Digest

        public init(_ digest: Digest, withBody digestWithBody: Digest) {
            (self.digest, self.digestWithBody) = (digest, digestWithBody)
        }
    }

    /// Identifies the report in its project, where it counts once.
    public let digest: Digest
    /// nil if the provider's proof covers the body.
    public let proof: Proof?

    public init(_ digest: Digest, proof: Proof? = nil) { (self.digest, self.proof) = (digest, proof) }
}

/// The effect of a report.
public enum ReportResult: Sendable, Hashable {
    /// It counts, and caused this number of suppressions.
    case counted(suppressed: Int)
    /// It was seen before and has no effect.
    case repeated
    /// Its proof came with another body first. It has no effect.
    case proofUsed
}

extension Records {
    /// Stores a mail. One that answers no request is left out if its recipient is suppressed.
    func post(_ mail: StoredMail) throws(ActionError) {
        if !mail.kind.answersRequest, try suppresses(mail) { return }
        try insert(mail)
    }

    /// Whether a suppression of its recipient stops a mail.
    func suppresses(_ mail: StoredMail) throws(ActionError) -> Bool {
        try suppressions(of: mail.recipientDigest, in: mail.project, at: mail.createdAt).contains { $0.stops(mail.kind) }
    }
}
