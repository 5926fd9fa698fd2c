import Accounts
import Base
import Logging
import Mail

/// Tells the webhook of the configuration in force of merged accounts, every few seconds.
struct AccountEventDelivery: Sendable {
    let store: any Storage
    let webhook: AccountEventWebhook
    /// Nil if there is no webhook. Events then wait until they are purged.
    let settings: @Sendable () -> WebhookSettings?
    let now: Now
    let logger: Logger

    /// The time after which another process may send a leased event. Longer than the webhook's own
    /// deadline.
    private static let lease = Duration.seconds(60)

    var job: PeriodicJob {
        PeriodicJob(every: .seconds(5), failureMessage: "account events not readable", logger: logger, pass: deliver)
    }

    /// Sends the events that are due, until the task is cancelled. One that is sent and cannot be
    /// deleted is sent again, with the same id.
    func deliver() async throws(ActionError) {
        guard let settings = settings() else { return }
        while !Task.isCancelled {
            let moment = now()
            guard let event = try await store.leaseAccountEvent(until: moment + Self.lease, at: moment) else { return }
            var metadata: Logger.Metadata = ["event": "\(event.id)", "kind": "\(event.kind.rawValue)", "project": "\(event.project)"]
            guard let cause = await webhook.send(event, to: settings) else {
                logger.info("account event delivered", metadata: metadata)
                try await store.delete(event)
                continue
            }
            metadata["cause"] = "\(cause)"
            metadata["attempt"] = .stringConvertible(event.attempts + 1)
            logger.warning("account event not delivered", metadata: metadata)
            try await store.postpone(event, until: now() + event.wait)
        }
    }
}
