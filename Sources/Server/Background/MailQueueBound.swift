import Accounts
import Base
import Logging
import Store

/// Keeps the queue of mails within its bound, so that requests of strangers cannot fill the disk
/// while no relay takes mails (V2).
struct MailQueueBound: Sendable {
    let store: Store
    /// The most mails that may wait.
    let maxWaiting: @Sendable () -> Int
    let now: Now
    let logger: Logger

    var job: PeriodicJob {
        PeriodicJob(every: .seconds(10), startsAtOnce: true, failureMessage: "mail queue not bounded", logger: logger, pass: drop)
    }

    private func drop() async throws(ActionError) {
        var dropped = 0
        while true {
            let count = try await store.dropMails(beyond: maxWaiting(), at: now())
            guard count > 0 else { break }
            dropped += count
        }
        if dropped > 0 { logger.warning("mails dropped, too many were waiting", metadata: ["count": .stringConvertible(dropped)]) }
    }
}
