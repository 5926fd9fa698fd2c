public import Base

/// The extent of a lease.
public struct MailLease: Sendable {
    /// The most mails of all projects.
    public let limit: Int
    /// The end of the lease.
    public let until: Timestamp
    /// The time if the wall clock is right, at or after the confirmed time of the queue (V7); nil:
    /// the time of the queue.
    public let latest: Timestamp?
    /// The project that had the last turn; nil at first.
    public let after: ProjectID?
    /// Whether mails whose link has expired keep their letters, for the inbox of `onward dev`.
    public let keepsLetters: Bool
    /// The most mails of one project, for its pace.
    public let limitOfProject: @Sendable (ProjectID) -> Int

    public init(
        limit: Int, until: Timestamp, latest: Timestamp? = nil, after: ProjectID? = nil, keepsLetters: Bool = false,
        limitOfProject: @escaping @Sendable (ProjectID) -> Int = { _ in .max }
    ) {
        self.limit = limit
        self.until = until
        self.latest = latest
        self.after = after
        self.keepsLetters = keepsLetters
        self.limitOfProject = limitOfProject
    }
}

/// A mail that this process may send.
public struct LeasedMail: Sendable, Hashable {
    public let mail: StoredMail
    /// The number of this attempt, from 1. It tells this lease from later ones.
    public let attempt: Int

    public init(mail: StoredMail, attempt: Int) {
        self.mail = mail
        self.attempt = attempt
    }
}

/// The reason why a mail no longer waits.
public enum MailEnd: String, Sendable, CaseIterable {
    /// A relay took responsibility for it.
    case sent
    /// It was refused for good, or it waited or was tried for too long. An admin can retry it.
    case parked
    /// Its link expired before a relay took it.
    case expired
    /// An admin removed it.
    case dropped
}

/// The answer of a relay to a mail.
public struct DeliveryReport: Sendable, Hashable {
    /// The relay without credentials; nil if none was asked.
    public let relay: String?
    /// One line without control characters.
    public let answer: String

    public init(relay: String?, answer: String) { (self.relay, self.answer) = (relay, answer) }
}
