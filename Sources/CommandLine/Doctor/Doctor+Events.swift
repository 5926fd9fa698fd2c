import Accounts
import Base
import Configuration
import Server
import Store

extension Doctor {
    /// The most events of an endpoint that are looked at.
    private static let maxEvents = 1_000

    /// The events that wait or were given up, by endpoint. A database that cannot be read is
    /// another diagnosis.
    func events() async -> [Diagnosis] {
        let urls = configuration.events.map(\.endpoint.url)
        let found = try? await configuration.database.withStoreAsItIs { store in
            var found: [Diagnosis] = []
            for url in urls {
                found.append(
                    Self.diagnosis(
                        of: url, parked: try await store.events(parked: true, for: url, in: nil, limit: Self.maxEvents),
                        waiting: try await store.events(parked: false, for: url, in: nil, limit: Self.maxEvents)))
            }
            let oldest = try await store.events(parked: nil, in: nil, limit: Self.maxEvents)
            for url in Set(oldest.map(\.endpoint)).subtracting(urls).sorted() {
                found.append(
                    .warning(
                        "events for \(Self.origin(url))", "some wait, and the configuration does not name it",
                        "Write it under events again, or wait: they are deleted after 30 days."))
            }
            return found
        }
        return found ?? []
    }

    private static func diagnosis(of url: String, parked: [EventDelivery], waiting: [EventDelivery]) -> Diagnosis {
        let subject = "events for \(origin(url))"
        func count(_ events: [EventDelivery]) -> String { events.count < maxEvents ? "\(events.count)" : "\(maxEvents) or more" }
        if let last = parked.last {
            return .warning(
                subject, "\(count(parked)) are parked, such as one because of: \(last.cause ?? "")",
                "Mend the back end, then run `onward events retry --all-parked`.")
        }
        if let failing = waiting.first(where: { $0.attempts > 0 }) {
            return .warning(
                subject, "\(count(waiting)) wait, and one failed \(failing.attempts) times: \(failing.cause ?? "")",
                "Mend the back end. They are sent by themselves then.")
        }
        return .ok(subject, waiting.isEmpty ? "none waits" : "\(count(waiting)) wait, and none has failed")
    }

    /// The rest of a URL may be a secret.
    private static func origin(_ url: String) -> String { (try? WebURL(url))?.origin ?? "another endpoint" }
}
