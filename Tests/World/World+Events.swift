package import Accounts
import Store

extension World {
    package static let endpoint = "https://app.example/events"

    /// Writes events from now on, for one endpoint.
    package func tellEvents(_ kinds: Set<AccountEvent.Kind>? = nil) {
        store.tell([EventEndpoint(url: Self.endpoint, kinds: kinds)], now: clock.now, random: random.bytes)
    }

    /// The events that wait, the oldest first.
    package func events() async throws -> [AccountEvent] {
        try await store.events(parked: nil, in: nil, limit: 1_000).map(\.event)
    }
}
