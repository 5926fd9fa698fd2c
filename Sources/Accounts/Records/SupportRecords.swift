public import Base

/// The questions of people who help users.
public protocol SupportRecords {
    /// The accounts with an address from `start` up to, but not including, `end`, in the order of
    /// their addresses.
    func accounts(withEmailFrom start: String, to end: String, limit: Int, in project: ProjectID) throws(ActionError) -> [Account]
    /// The newest accounts, or those that are older than one.
    func newestAccounts(before account: Account?, limit: Int, in project: ProjectID) throws(ActionError) -> [Account]
    /// The refresh tokens of an account that were not superseded, newest first.
    func sessions(of account: Account, limit: Int) throws(ActionError) -> [RefreshTokenRecord]
    /// The live codes of an account, newest first.
    func liveCodes(of account: Account, at now: Timestamp, limit: Int) throws(ActionError) -> [StoredCode]
    /// The mails of a selection, newest first. Those that wait come oldest first, and on one page.
    /// - Parameter id: only mails before this one; nil for all.
    func mailRecords(
        _ selection: MailSelection, in project: ProjectID, before id: MailID?, limit: Int, at now: Timestamp
    ) throws(ActionError) -> [MailRecord]
    /// - Parameters:
    ///   - moment: the start of what is told of ended mails.
    ///   - limit: the most mails that are counted of those that wait, and of those that are parked.
    ///   - endedLimit: the most that are counted of those that ended.
    func mailOverview(
        in project: ProjectID, since moment: Timestamp, limit: Int, endedLimit: Int
    ) throws(ActionError) -> MailOverview
    /// A part of the audit, newest first.
    func audit(_ search: AuditSearch, in project: ProjectID) throws(ActionError) -> AuditPage
    /// Events that wait or were given up, oldest first.
    /// - Parameters:
    ///   - account: nil for every account.
    ///   - isParked: nil for both.
    func events(of account: AccountID?, parked isParked: Bool?, in project: ProjectID, limit: Int) throws(ActionError) -> [EventDelivery]
    /// The merges into an account.
    func merges(into account: AccountID, in project: ProjectID) throws(ActionError) -> [StoredMerge]
    /// An event that waits or was given up, for one of its endpoints.
    func event(_ id: String, in project: ProjectID) throws(ActionError) -> EventDelivery?
    /// The suppressions in force, newest first.
    func suppressions(in project: ProjectID, at now: Timestamp, limit: Int) throws(ActionError) -> [Suppression]
}

/// The mails that a list is about.
public enum MailSelection: Sendable {
    /// The mails to an address, as `Outbox.digest` hashes it.
    case to(Digest)
    case about(AccountID)
    case waiting, parked
}

/// How many mails wait, and what became of the newest ones.
public struct MailOverview: Sendable, Equatable {
    /// The mails of one kind that a relay was asked to take, or none yet.
    public struct Group: Sendable, Equatable {
        public let kind: LetterKind
        /// The relay that was asked last.
        public let relay: String?
        public let count: Int
        /// One of the relay's answers.
        public let answer: String?

        public init(kind: LetterKind, relay: String?, count: Int, answer: String?) {
            (self.kind, self.relay, self.count, self.answer) = (kind, relay, count, answer)
        }
    }

    /// The mails of one kind that ended alike in one hour.
    public struct Hour: Sendable, Equatable {
        public let start: Timestamp
        public let kind: LetterKind
        public let end: MailEndReason
        public let relay: String?
        public let count: Int

        public init(start: Timestamp, kind: LetterKind, end: MailEndReason, relay: String?, count: Int) {
            (self.start, self.kind, self.end, self.relay, self.count) = (start, kind, end, relay, count)
        }
    }

    public let waiting, parked: [Group]
    /// When the oldest of those that wait was written.
    public let oldestWaiting: Timestamp?
    /// The mails that ended since a moment.
    public let ended: [Hour]
    public let since: Timestamp
    /// The most mails that are counted of those that wait, and of those that are parked.
    public let limit: Int

    public init(waiting: [Group], oldestWaiting: Timestamp?, parked: [Group], ended: [Hour], since: Timestamp, limit: Int) {
        (self.waiting, self.oldestWaiting, self.parked) = (waiting, oldestWaiting, parked)
        (self.ended, self.since, self.limit) = (ended, since, limit)
    }
}

/// A part of the audit.
public struct AuditSearch: Sendable {
    /// Nil for every account.
    public var account: AccountID?
    /// The methods whose records are left out, such as those that only read.
    public var methodsLeftOut: Set<String> = []
    /// Only records before this position; nil: from the newest.
    public var before: Int?
    public let limit: Int
    /// The most records that are looked at, so that a search for a rare account ends soon.
    public let window: Int

    public init(account: AccountID? = nil, before: Int? = nil, limit: Int, window: Int = 50_000) {
        (self.account, self.before, self.limit, self.window) = (account, before, limit, window)
    }
}

public struct AuditPage: Sendable {
    public let records: [AuditRecord]
    /// The position before which the next part begins; nil if there is none.
    public let next: Int?

    public init(records: [AuditRecord], next: Int?) { (self.records, self.next) = (records, next) }
}
