public import Base

/// The database, accessed through reads and transactions. Several processes may share it.
public protocol Storage: Sendable {
    /// The ids of new codes and mails.
    var rowIDs: RowIDs { get }
    /// Tells of accounts that have changed.
    var accountChanges: AccountChanges { get }
    /// Runs `body` on one consistent snapshot; a write in it is an error.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (any Records) throws(ActionError) -> T
    ) async throws(ActionError) -> T
    /// Runs `body` for what is only shown, on a snapshot that may be a little older than the last
    /// commit. What `body` does not find, for which it returns nil, is not there in the latest one.
    func preview<T: Sendable>(
        _ body: @escaping @Sendable (any Records) throws(ActionError) -> T?
    ) async throws(ActionError) -> T?
    /// Runs `body` in a transaction, which is durable when this returns and rolled back if `body`
    /// throws.
    func transaction<T: Sendable>(
        _ body: @escaping @Sendable (any Records) throws(ActionError) -> T
    ) async throws(ActionError) -> T
    /// Makes events due now, also those that were given up.
    /// - Parameter id: nil: those that were given up.
    /// - Returns: the number of events.
    func retryEvents(id: String?, in project: ProjectID?, at now: Timestamp) async throws(ActionError) -> Int

    // MARK: Projects

    /// The newest revision; 0 before the first change. One indexed read.
    func newestSettingsRevision() async throws(ActionError) -> Int
    /// The settings changed after a revision, the oldest change first. Revision 0 returns all.
    func settings(changedAfter revision: Int) async throws(ActionError) -> [StoredSettings]
    /// Reads, changes and writes settings in one transaction, so that concurrent changes are not
    /// lost. Nothing is written if `change` throws.
    func changeSettings(
        of project: ProjectID, at now: Timestamp,
        by change: @escaping @Sendable (inout ProjectSettings) throws(ActionError) -> Void
    ) async throws(ActionError) -> StoredSettings

    // MARK: Signing keys

    /// All keys, in the order in which they begin to sign.
    func signingKeys() async throws(ActionError) -> [StoredSigningKey]
    /// Calls `decide` and applies its change in one transaction, so that each of several processes
    /// sees the changes of the others.
    func changeSigningKeys(_ decide: @escaping @Sendable ([StoredSigningKey]) -> KeyChange) async throws(ActionError)

    // MARK: The mail queue

    /// Leases mails that are due: no other caller gets them before the lease ends. Turns go round
    /// the projects and, within a project, round the networks from which mails were asked for;
    /// mails that a person waits for come first. Mails whose link has expired end instead; if only
    /// an unconfirmed time says so (`MailLease.latest`), they wait.
    func lease(_ lease: MailLease, at now: Timestamp) async throws(ActionError) -> [StoredMail]
    /// Ends mails that were written before a moment and were not tried in time, as while no relay
    /// was configured or no server ran: as expired if their link has, otherwise parked. Mails that
    /// are being sent, or that an admin retries, go on.
    /// - Parameter keepsLetters: whether expired mails keep their letters too.
    /// - Returns: the number of mails, which is bounded, so that the transaction is short; 0 means
    ///   that none are left.
    func giveUp(writtenBefore moment: Timestamp, keepsLetters: Bool, at now: Timestamp) async throws(ActionError) -> Int
    /// Records that a leased mail was sent or will not be sent. Does nothing if the mail has been
    /// leased again.
    /// - Parameter keepsLetter: whether the sealed letter stays.
    func end(_ mail: StoredMail, as end: MailEndReason, _ outcome: DeliveryOutcome, keepsLetter: Bool, at now: Timestamp)
        async throws(ActionError)
    /// Gives a leased mail back, to be tried again from `next` on.
    func postpone(_ mail: StoredMail, until next: Timestamp, _ outcome: DeliveryOutcome) async throws(ActionError)
    /// Gives leased mails back that were not tried, for other processes.
    func release(_ mails: [StoredMail]) async throws(ActionError)

    // MARK: Feedback

    /// Stores suppressions of addresses that their project has mailed to. Others are ignored, so
    /// that a provider's reports about mails of other senders have no effect.
    /// - Parameter report: nil: it cannot be repeated.
    func suppress(
        _ suppressions: [Suppression], by report: RememberedReport?, at now: Timestamp
    ) async throws(ActionError) -> ReportResult
}
