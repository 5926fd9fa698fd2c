import Accounts
import Base
import Configuration
import Logging
import Mail
import Metrics
import Network
import Store

/// Tells the endpoints of the configuration in force of the events that wait for them. No endpoint
/// waits for another.
struct EventSender: Sendable {
    let store: Store
    let webhooks: EventWebhooks
    let endpoints: @Sendable () -> [EventWebhook]
    let meters: EventMeters
    let failures = EventFailures()
    let now: Now
    let logger: Logger

    /// The time after which another process may send a leased event. Longer than the webhook's own
    /// deadline.
    static let lease = Duration.seconds(60)
    private static let interval = Duration.seconds(1)
    /// Requests that wait for others would have less time.
    private static let batch = EventWebhooks.limits.width

    /// Sends until the task is cancelled. Requests that have begun end first.
    func run() async {
        let busy = Locked<Set<String>>([])
        await withDiscardingTaskGroup { group in
            repeat {
                for endpoint in endpoints() where busy.update({ $0.insert(endpoint.endpoint.url).inserted }) {
                    group.addTask {
                        do throws(ActionError) { try await deliver(to: endpoint) } catch {
                            // It is tried again in a second. The store reports its own failures.
                            logger.debug("events not readable", metadata: ["cause": "\(error.cause)"])
                        }
                        busy.update { _ = $0.remove(endpoint.endpoint.url) }
                    }
                }
            } while (try? await Task.sleep(for: Self.interval)) != nil
        }
    }

    /// Sends the events that are due. One that is sent and cannot be deleted is sent again, with
    /// the same id.
    func deliver(to endpoint: EventWebhook) async throws(ActionError) {
        let url = endpoint.endpoint.url
        while !Task.isCancelled, !webhooks.isPaused(endpoint.settings) {
            let moment = now()
            // One finds out whether the endpoint is back.
            let limit = webhooks.isDown(endpoint.settings) ? 1 : Self.batch
            let due = try await store.leaseEvents(for: url, limit: limit, until: moment + Self.lease, at: moment)
            guard !due.isEmpty else { return }
            let (failure, isTaken) = await withTaskGroup(of: Result<Bool, ActionError>.self) { group in
                for delivery in due {
                    group.addTask {
                        do throws(ActionError) { return .success(try await send(delivery, to: endpoint.settings)) } catch {
                            return .failure(error)
                        }
                    }
                }
                var (failure, isTaken): (ActionError?, Bool) = (nil, false)
                for await result in group {
                    switch result {
                    case .success(let took): isTaken = isTaken || took
                    case .failure(let error): failure = error
                    }
                }
                return (failure, isTaken)
            }
            if let failure { throw failure }
            if isTaken, failures.endRow(of: url) { while try await store.hastenEvents(for: url, lease: Self.lease, at: now()) > 0 {} }
        }
    }

    /// - Returns: whether the endpoint took the event.
    private func send(_ delivery: EventDelivery, to settings: WebhookSettings) async throws(ActionError) -> Bool {
        let event = delivery.event
        var metadata: Logger.Metadata = [
            "event": "\(event.id)", "kind": "\(event.kind.rawValue)", "project": "\(event.project)", "endpoint": "\(settings.url.origin)",
        ]
        let answer = await webhooks.send(event, to: settings)
        let moment = now()
        switch (answer, delivery.nextAttempt(after: moment)) {
        case (.taken, _):
            meters.count(.delivered)
            logger.info("event delivered", metadata: metadata)
            try await store.delete(delivery, at: moment)
            return true
        case (.failed(let cause), let next?):
            meters.count(.failed)
            failures.count(at: delivery.endpoint)
            metadata["cause"] = "\(cause)"
            metadata["attempt"] = .stringConvertible(delivery.attempts + 1)
            logger.info("event not delivered", metadata: metadata)
            try await store.postpone(delivery, until: next, because: cause)
        case (let answer, _):
            meters.count(.parked)
            let cause = answer.cause
            metadata["cause"] = "\(cause)"
            logger.warning("event given up, onward events retry sends it again", metadata: metadata)
            try await store.park(delivery, because: cause, at: moment)
        }
        return false
    }
}

extension EventWebhooks.EventAnswer {
    fileprivate var cause: String { if case .failed(let cause) = self { cause } else { "HTTP status 410" } }
}

/// The metrics of deliveries.
struct EventMeters: Sendable {
    enum AttemptResult: String, Sendable, CaseIterable { case delivered, failed, parked }

    private let counters: [AttemptResult: Counter]

    init(_ factory: any MetricsFactory) {
        counters = Metric.eventAttempts.counters(in: factory) { (result: AttemptResult) in ["outcome": result.rawValue] }
    }

    func count(_ result: AttemptResult) { counters[result]?.increment() }
}

/// The failures in a row of each endpoint. One that works again after a long row gets all that
/// wait.
final class EventFailures: Sendable {
    private let counts = Locked<[String: Int]>([:])

    func count(at endpoint: String) { counts.update { $0[endpoint, default: 0] += 1 } }

    /// - Returns: whether the row was long, or may have begun before this process.
    func endRow(of endpoint: String) -> Bool {
        counts.update { counts in
            defer { counts[endpoint] = 0 }
            return counts[endpoint].map { $0 >= CircuitBreaker.maxFailures } ?? true
        }
    }
}
