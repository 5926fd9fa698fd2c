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
