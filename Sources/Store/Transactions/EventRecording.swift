public import Accounts
public import Base

/// The endpoints that are told of changes of accounts.
struct EventRecording: Sendable {
    let endpoints: [EventEndpoint]
    let now: Now
    let random: RandomBytes

    func newID() -> String { Base64URL.encode(random(16)) }

    func deliveries(of event: AccountEvent, queue: String, dueAt: Timestamp) -> [EventDelivery] {
        endpoints.filter { $0.takes(event) }.map {
            EventDelivery(
                position: 0, event: event, endpoint: $0.url, queue: queue, attempts: 0, dueAt: dueAt, parkedAt: nil, cause: nil)
        }
    }
}

extension Store {
    /// Writes an event for these endpoints with each change of an account from now on. Without
    /// endpoints nothing is written.
    public func tell(_ endpoints: [EventEndpoint], now: @escaping Now, random: @escaping RandomBytes) {
        let recording = endpoints.isEmpty ? nil : EventRecording(endpoints: endpoints, now: now, random: random)
        self.recording.update { $0 = recording }
    }
}
