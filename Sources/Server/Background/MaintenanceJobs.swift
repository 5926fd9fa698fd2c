import Accounts
import Base
import Logging
import Mail
import Store

/// Hourly jobs: deletes codes, superseded refresh tokens, ended mails, suppressions, merges and
/// audit records after their retention (C17), in small batches so that other writes are not
/// delayed, and rotates signing keys (T5).
struct MaintenanceJobs: Sendable {
    let store: Store
    /// The signing keys, nil if tokens are unsigned.
    let keys: SigningKeys?
    /// How long after its expiry a code is kept, so that its page says *it worked earlier* or *it
    /// was valid until*. Records of tries at an upstream are kept as long.
    let codeRetention: @Sendable () -> Duration
    /// How long audit records are kept; nil: for ever.
    let auditRetention: @Sendable () -> Duration?
    /// How long the record of a mail is kept after it ended. Its letter is erased when it is sent.
    let mailRetention: @Sendable () -> Duration
    /// The confirmed time: a moment of nonsense of the wall clock deletes nothing (V7).
    let now: Now
    let logger: Logger

    /// How long the visits of a short link on one day are known, so that a year can be compared
    /// with the one before.
    static let countRetention = Duration.days(800)
    private static let batchSize = 500

    var jobs: [PeriodicJob] {
        let purging = PeriodicJob(every: .hours(1), startsAtOnce: true, failureMessage: "purge failed", logger: logger, pass: purge)
        guard let keys else { return [purging] }
        return [
            purging,
            PeriodicJob(
                every: .hours(1), startsAtOnce: true, failureMessage: "signing key maintenance failed", logger: logger,
                pass: keys.maintain),
        ]
    }

    /// Deletes what is past its retention.
    func purge() async throws(ActionError) {
        let (old, recent) = (ago(codeRetention()), ago(.hours(1)))
        try await purge(before: recent, store.purgeDecoys(createdBefore:limit:))
        try await purge(before: old, store.purgeCodes(expiredBefore:limit:))
        try await purge(before: old, store.purgeUpstreamTries(begunBefore:limit:))
        try await purge(before: recent, store.purgeVerificationCodes(expiredBefore:limit:))
        // After a week without a guess the next ones are free again.
        try await purge(before: ago(.days(7)), store.purgeWrongVerificationCodes(endedBefore:limit:))
        try await purge(before: ago(mailRetention()), store.purgeMails(endedBefore:limit:))
        try await purge(before: now(), store.purgeSuppressions(endedBefore:limit:))
        try await purge(before: ago(FeedbackReceiver.memory), store.purgeReports(receivedBefore:limit:))
        try await purge(before: ago(RefreshTokenRecord.retention), store.purgeSessions(retiredBefore:limit:))
        try await purge(before: ago(Accounts.networkRetention), store.purgeKnownNetworks(unseenSince:limit:))
        try await purge(before: ShortLinkVisit.day(of: ago(Self.countRetention)), store.purgeShortLinkCounts(before:limit:))
        try await store.purgeMerges(before: ago(Merge.reversible))
        try await purge(before: ago(EventDelivery.retention), store.purgeAccountEvents(before:limit:))
        if let auditRetention = auditRetention() { try await purge(before: ago(auditRetention), store.purgeAudit(before:limit:)) }
    }

    /// Deletes in batches, and lets other work run between two. Throws when the server stops, so
    /// that it takes no new work.
    private func purge<Moment>(
        before moment: Moment, _ delete: (_ before: Moment, _ limit: Int) async throws(ActionError) -> Int
    ) async throws(ActionError) {
        while try await delete(moment, Self.batchSize) == Self.batchSize {
            await Task.yield()
            if Task.isCancelled { throw .unavailable(Unavailable(.store, cause: "the server stops")) }
        }
    }

    private func ago(_ span: Duration) -> Timestamp { Timestamp(milliseconds: now().milliseconds - span.milliseconds) }
}
