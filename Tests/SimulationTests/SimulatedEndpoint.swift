import Accounts
import Base
import Store
import Synchronization
import World

/// An endpoint that takes events, refuses them, or takes them and loses its answer, as a seed
/// decides.
final class SimulatedEndpoint: Sendable {
    private struct State {
        var generator: Generator
        var isHealthy = false
        var taken: [String: AccountEvent] = [:]
        /// Whether an event came although an earlier one of its queue waited.
        var isOutOfOrder = false
    }

    private let state: Mutex<State>

    init(deciding generator: Generator) { state = Mutex(State(generator: generator)) }

    var taken: [AccountEvent] { state.withLock { Array($0.taken.values) } }
    var isOutOfOrder: Bool { state.withLock(\.isOutOfOrder) }
    func recover() { state.withLock { $0.isHealthy = true } }

    /// - Parameter waiting: all that wait.
    /// - Returns: whether Onward hears that the event was taken.
    func takes(_ delivery: EventDelivery, of waiting: [EventDelivery]) -> Bool {
        state.withLock { state in
            let answer = state.isHealthy ? 3 : state.generator.next(below: 6)
            guard answer > 0 else { return false }
            state.taken[delivery.event.id] = delivery.event
            if waiting.contains(where: { $0.queue == delivery.queue && $0.position < delivery.position }) { state.isOutOfOrder = true }
            return answer > 1
        }
    }
}

extension World {
    /// Tells an endpoint of the events that are due, as the server's `EventSender` does.
    func tellEvents(from store: Store, inTurn wait: () async -> Void, to endpoint: SimulatedEndpoint) async throws(ActionError) {
        while true {
            await wait()
            let moment = now()
            let due = try await store.leaseEvents(for: Self.endpoint, limit: 4, until: moment + .seconds(60), at: moment)
            guard !due.isEmpty else { return }
            let waiting = try await store.waitingEvents(for: Self.endpoint, limit: 1_000)
            for delivery in due {
                let isTaken = endpoint.takes(delivery, of: waiting)
                await wait()
                if isTaken {
                    try await store.delete(delivery, at: now())
                } else if let next = delivery.nextAttempt(after: now()) {
                    try await store.postpone(delivery, until: next, because: "HTTP status 503")
                } else {
                    try await store.park(delivery, because: "HTTP status 503", at: now())
                }
            }
        }
    }
}
