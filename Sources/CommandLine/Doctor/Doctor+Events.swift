import Accounts
import Base
import Configuration
import Server
import Store

extension Doctor {
    /// The most events that are looked at.
    private static let maxEvents = 10_000

    /// The events that wait or were given up, by endpoint. A database that cannot be read is
    /// another diagnosis.
    func events() async -> [Diagnosis] {
        let found = try? await configuration.database.withStoreAsItIs { store in
            try await store.events(parked: nil, in: nil, limit: Self.maxEvents)
        }
        guard let found else { return [] }
        let urls = configuration.events.map(\.endpoint.url)
        return urls.map { Self.diagnosis(of: $0, found.filter { [url = $0] in $0.endpoint == url }) }
            + Set(found.map(\.endpoint)).subtracting(urls).sorted().map { url in
                .warning(
                    "events for \(Self.origin(url))", "\(found.count { $0.endpoint == url }) wait, and the configuration does not name it",
                    "Write it under events again, or wait: they are deleted after 30 days.")
            }
    }

    static func diagnosis(of url: String, _ events: [EventDelivery]) -> Diagnosis {
        let subject = "events for \(origin(url))"
        let parked = events.filter { $0.parkedAt != nil }
        if let last = parked.last {
            return .warning(
                subject, "\(parked.count) are parked, the last because of: \(last.cause ?? "")",
                "Mend the back end, then run `onward events retry --all-parked`.")
        }
        if let failing = events.first(where: { $0.attempts > 0 }) {
            return .warning(
                subject, "\(events.count) wait, and the oldest failed \(failing.attempts) times: \(failing.cause ?? "")",
                "Mend the back end. They are sent by themselves then.")
        }
        return .ok(subject, events.isEmpty ? "none waits" : "\(events.count) wait, and none has failed")
    }

    /// The rest of a URL may be a secret.
    private static func origin(_ url: String) -> String { (try? WebURL(url))?.origin ?? "another endpoint" }
}
