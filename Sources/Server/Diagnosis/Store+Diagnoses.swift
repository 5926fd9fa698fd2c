public import Accounts
public import Base
public import Store

extension Store {
    /// The most events of an endpoint that are looked at.
    private static let maxEvents = 1_000

    /// Invited people who did not come in time; nil if there are none.
    public func diagnosisOfInvitations(at now: Timestamp) async throws(ActionError) -> Diagnosis? {
        let expired = try await countInvitations(expiringUntil: now, upTo: 10_000)
        guard expired > 0 else { return nil }
        return .note(
            "invitations", "\(expired) have expired before their person came",
            "`onward users list --invited` names them. Invite them again, or withdraw the invitations.")
    }

    /// The events that wait or were given up, by endpoint.
    /// - Parameter urls: the endpoints of the configuration.
    public func diagnosesOfEvents(for urls: [String]) async throws(ActionError) -> [Diagnosis] {
        var found: [Diagnosis] = []
        for url in urls {
            found.append(
                Self.diagnosis(
                    of: url, parked: try await events(parked: true, for: url, in: nil, limit: Self.maxEvents),
                    waiting: try await waitingEvents(for: url, limit: Self.maxEvents)))
        }
        let oldest = try await events(parked: nil, in: nil, limit: Self.maxEvents)
        for url in Set(oldest.map(\.endpoint)).subtracting(urls).sorted() {
            found.append(
                .warning(
                    "events for \(Self.origin(url))", "some wait, and the configuration does not name it",
                    "Write it under events again, or wait: they are deleted after 30 days."))
        }
        return found
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
