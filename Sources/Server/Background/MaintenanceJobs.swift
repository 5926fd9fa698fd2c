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
        while try await store.purgeDecoys(createdBefore: recent, limit: Self.batchSize) == Self.batchSize { try await pause() }
        while try await store.purgeCodes(expiredBefore: old, limit: Self.batchSize) == Self.batchSize { try await pause() }
        while try await store.purgeUpstreamTries(begunBefore: old, limit: Self.batchSize) == Self.batchSize { try await pause() }
        while try await store.purgeVerificationCodes(expiredBefore: recent, limit: Self.batchSize) == Self.batchSize {
            try await pause()
        }
        // After a week without a guess the next ones are free again.
        while try await store.purgeWrongVerificationCodes(endedBefore: ago(.days(7)), limit: Self.batchSize) == Self.batchSize {
            try await pause()
        }
        let ended = ago(mailRetention())
        while try await store.purgeMails(endedBefore: ended, limit: Self.batchSize) == Self.batchSize { try await pause() }
        while try await store.purgeSuppressions(endedBefore: now(), limit: Self.batchSize) == Self.batchSize { try await pause() }
        let forgotten = ago(FeedbackReceiver.memory)
        while try await store.purgeReports(receivedBefore: forgotten, limit: Self.batchSize) == Self.batchSize {
            try await pause()
        }
        let superseded = ago(RefreshTokenRecord.retention)
        while try await store.purgeSessions(retiredBefore: superseded, limit: Self.batchSize) == Self.batchSize {
            try await pause()
        }
        let unseen = ago(Accounts.networkRetention)
        while try await store.purgeKnownNetworks(unseenSince: unseen, limit: Self.batchSize) == Self.batchSize {
            try await pause()
        }
        let counted = ShortLinkVisit.day(of: ago(Self.countRetention))
        while try await store.purgeShortLinkCounts(before: counted, limit: Self.batchSize) == Self.batchSize {
            try await pause()
        }
        try await store.purgeMerges(before: ago(Merge.reversible))
        try await store.purgeAccountEvents(before: ago(AccountEvent.retention))
        if let auditRetention = auditRetention() {
            let kept = ago(auditRetention)
            while try await store.purgeAudit(before: kept, limit: Self.batchSize) == Self.batchSize { try await pause() }
        }
    }

    /// Lets other work run between two batches. Throws when the server stops, so that it takes no
    /// new work.
    private func pause() async throws(ActionError) {
        await Task.yield()
        if Task.isCancelled { throw .unavailable(Unavailable(.store, cause: "the server stops")) }
    }

    private func ago(_ span: Duration) -> Timestamp { Timestamp(milliseconds: now().milliseconds - span.milliseconds) }
}
