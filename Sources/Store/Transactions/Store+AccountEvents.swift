public import Accounts
public import Base

extension Store {
    /// Whether an event for an endpoint is due, or waits for an earlier one of its queue.
    public func hasDueEvents(for endpoint: String, at now: Timestamp) async throws(ActionError) -> Bool {
        try await read { records throws(ActionError) in
            try records.count(
                "SELECT count(*) FROM (SELECT 1 FROM account_event WHERE endpoint = ? AND parked_at IS NULL AND due_at <= ? LIMIT 1) AS due",
                [endpoint, now]) > 0
        }
    }

    /// Leases the events for an endpoint that are due: no other caller gets them before `end`. An
    /// event waits for earlier ones of its queue.
    public func leaseEvents(
        for endpoint: String, limit: Int, until end: Timestamp, at now: Timestamp
    ) async throws(ActionError) -> [EventDelivery] {
        try await claim { records throws(ActionError) in
            // An earlier event exists until it is delivered, also while it is leased.
            let due: [EventDelivery] = try records.all(
                """
                \(EventDelivery.select) AS event WHERE endpoint = ? AND parked_at IS NULL AND due_at <= ? AND NOT EXISTS (
                    SELECT 1 FROM account_event AS earlier
                    WHERE earlier.project = event.project AND earlier.queue = event.queue AND earlier.position < event.position
                    AND earlier.endpoint = event.endpoint AND earlier.parked_at IS NULL)
                ORDER BY due_at, position LIMIT ?\(records.claiming)
                """, [endpoint, now, limit])
            for delivery in due { try records.submit("UPDATE account_event SET due_at = ? WHERE position = ?", [end, delivery.position]) }
            return due
        }
    }

    /// Ends an event that was delivered.
    public func delete(_ delivery: EventDelivery, at now: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.submit("DELETE FROM account_event WHERE position = ?", [delivery.position])
            try records.proceed(after: delivery, at: now)
        }
    }

    /// Counts a failed attempt. Does nothing if another caller did since the lease.
    public func postpone(_ delivery: EventDelivery, until moment: Timestamp, because cause: String) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.submit(
                "UPDATE account_event SET due_at = ?, attempts = attempts + 1, cause = ? WHERE position = ? AND attempts = ?",
                [moment, cause, delivery.position, delivery.attempts])
            // Later ones of its queue wait as long, and cost no look until then.
            try records.submit(
                "UPDATE account_event SET due_at = ? WHERE \(SQLRecords.behind) AND due_at < ?",
                [moment] + delivery.behind + [moment])
        }
    }

    /// Gives an event up. It is kept, and holds back no other.
    public func park(_ delivery: EventDelivery, because cause: String, at now: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.submit(
                "UPDATE account_event SET parked_at = ?, attempts = attempts + 1, cause = ? WHERE position = ?",
                [now, cause, delivery.position])
            try records.proceed(after: delivery, at: now)
        }
    }

    /// Makes the events for an endpoint that works again due now, except for those that are being
    /// sent.
    /// - Parameter lease: the longest lease.
    public func hastenEvents(for endpoint: String, lease: Duration, at now: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.submit(
                "UPDATE account_event SET due_at = ? WHERE endpoint = ? AND parked_at IS NULL AND due_at > ? AND attempts > 0",
                [now, endpoint, now + lease])
        }
    }

    /// Events that wait or were given up, the oldest first.
    public func events(
        parked isParked: Bool?, id: String? = nil, in project: ProjectID?, limit: Int
    ) async throws(ActionError) -> [EventDelivery] {
        let filter = EventFilter(isParked: isParked, id: id, project: project)
        return try await read { records throws(ActionError) in
            try records.all("\(EventDelivery.select) WHERE \(filter.condition) ORDER BY position LIMIT ?", filter.arguments + [limit])
        }
    }

    /// The newest events first, whatever became of them.
    public func newestEvents(limit: Int) async throws(ActionError) -> [EventDelivery] {
        try await read { records throws(ActionError) in try records.all("\(EventDelivery.select) ORDER BY position DESC LIMIT ?", [limit]) }
    }

    public func deleteEvents(in project: ProjectID) async throws(ActionError) {
        try await claim { records throws(ActionError) in try records.submit("DELETE FROM account_event WHERE project = ?", [project]) }
    }

    /// - Parameter limit: the highest number that is counted to, so that the query stays cheap.
    public func countEvents(parked isParked: Bool, upTo limit: Int) async throws(ActionError) -> Int {
        let filter = EventFilter(isParked: isParked, id: nil, project: nil)
        return try await read { records throws(ActionError) in
            try records.count("SELECT count(*) FROM (SELECT 1 FROM account_event WHERE \(filter.condition) LIMIT ?) AS counted", [limit])
        }
    }

    /// Makes events due now, also those that were given up.
    /// - Returns: the number of events.
    public func retryEvents(id: String?, in project: ProjectID?, at now: Timestamp) async throws(ActionError) -> Int {
        let filter = EventFilter(isParked: id == nil ? true : nil, id: id, project: project)
        return try await claim { records throws(ActionError) in
            try records.execute(
                "UPDATE account_event SET due_at = ?, attempts = 0, parked_at = NULL WHERE \(filter.condition)",
                [now] + filter.arguments)
        }
    }

    /// Deletes events that were given up, or one of any state.
    /// - Returns: the number of events.
    public func dropEvents(id: String?, in project: ProjectID?) async throws(ActionError) -> Int {
        let filter = EventFilter(isParked: id == nil ? true : nil, id: id, project: project)
        return try await claim { records throws(ActionError) in
            try records.execute("DELETE FROM account_event WHERE \(filter.condition)", filter.arguments)
        }
    }

    /// Deletes events that no endpoint took.
    public func purgeAccountEvents(before moment: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in try records.submit("DELETE FROM account_event WHERE at < ?", [moment]) }
    }

    /// Deletes merges that cannot be undone any more.
    public func purgeMerges(before moment: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in try records.submit("DELETE FROM merge WHERE at < ?", [moment]) }
    }
}

/// Which events a command is about.
private struct EventFilter: Sendable {
    let isParked: Bool?
    let id: String?
    let project: ProjectID?

    var condition: String {
        let parts = [
            isParked.map { "parked_at IS \($0 ? "NOT " : "")NULL" }, id.map { _ in "id = ?" }, project.map { _ in "project = ?" },
        ].compactMap(\.self)
        return parts.isEmpty ? "1 = 1" : parts.joined(separator: " AND ")
    }

    var arguments: [any SQLConvertible] { [id as (any SQLConvertible)?, project as (any SQLConvertible)?].compactMap(\.self) }
}

extension EventDelivery {
    fileprivate var behind: [any SQLConvertible] { [event.project, queue, position, endpoint] }
}

extension SQLRecords {
    fileprivate static let behind = "project = ? AND queue = ? AND position > ? AND endpoint = ? AND parked_at IS NULL"

    /// Lets the events behind one go on that is done.
    fileprivate func proceed(after delivery: EventDelivery, at now: Timestamp) throws(ActionError) {
        guard delivery.attempts > 0 else { return }
        try submit("UPDATE account_event SET due_at = ? WHERE \(Self.behind) AND due_at > ?", [now] + delivery.behind + [now])
    }
}
