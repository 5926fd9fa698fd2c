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
