public import Accounts
public import Base

extension Store {
    /// Leases the events for an endpoint that are due: no other caller gets them before `end`. An
    /// event waits for earlier ones of its queue, which exist until they are delivered, also while
    /// they are leased.
    public func leaseEvents(
        for endpoint: String, limit: Int, until end: Timestamp, at now: Timestamp
    ) async throws(ActionError) -> [EventDelivery] {
        // Read beside the writers, because many that wait for others may be due.
        let due: [EventDelivery] = try await read { records throws(ActionError) in
            try records.all(
                """
                \(EventDelivery.select) AS event WHERE endpoint = ? AND parked_at IS NULL AND due_at <= ? AND NOT EXISTS (
                    SELECT 1 FROM account_event AS earlier
                    WHERE earlier.project = event.project AND earlier.queue = event.queue AND earlier.endpoint = event.endpoint
                    AND earlier.position < event.position AND earlier.parked_at IS NULL)
                ORDER BY due_at, position LIMIT ?
                """, [endpoint, now, limit])
        }
        guard !due.isEmpty else { return [] }
        return try await claim { records throws(ActionError) in
            var leased: [EventDelivery] = []
            for delivery in due
            where try records.changesRow(
                "UPDATE account_event SET due_at = ? WHERE \(SQLRecords.lease) AND due_at = ?",
                [end] + delivery.key + [delivery.attempts, delivery.dueAt])
            { leased.append(delivery) }
            return leased
        }
    }

    /// Ends an event that was delivered.
    public func delete(_ delivery: EventDelivery, at now: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.proceed(after: delivery, at: now)
            try records.submit("DELETE FROM account_event WHERE id = ? AND endpoint = ?", delivery.key)
        }
    }

    /// Counts a failed attempt. Does nothing if another caller did since the lease.
    public func postpone(_ delivery: EventDelivery, until moment: Timestamp, because cause: String) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            let isCounted = try records.changesRow(
                "UPDATE account_event SET due_at = ?, attempts = attempts + 1, cause = ? WHERE \(SQLRecords.lease)",
                [moment, cause] + delivery.key + [delivery.attempts])
            // Later ones of its queue wait as long, and cost no look until then.
            guard isCounted else { return }
            try records.submit(
                "UPDATE account_event SET due_at = ? WHERE \(SQLRecords.behind) AND due_at < ?", [moment] + delivery.behind + [moment])
        }
    }

    /// Gives an event up. It is kept, and holds back no other.
    public func park(_ delivery: EventDelivery, because cause: String, at now: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.proceed(after: delivery, at: now)
            try records.submit(
                "UPDATE account_event SET parked_at = ?, attempts = attempts + 1, cause = ? WHERE \(SQLRecords.lease)",
                [now, cause] + delivery.key + [delivery.attempts])
        }
    }

    /// Makes events due now that failed earlier, and those behind them, because their endpoint
    /// works again. Events that are being sent, and those of imports that still run, keep their
    /// time.
    /// - Parameters:
    ///   - lease: the longest lease.
    ///   - limit: the most events, so that the transaction is short.
    /// - Returns: the number of events.
    public func hastenEvents(
        for endpoint: String, lease: Duration, at now: Timestamp, limit: Int = 500
    ) async throws(ActionError) -> Int {
        try await claim { records throws(ActionError) in
            try records.execute(
                """
                UPDATE account_event SET due_at = ? WHERE position IN (
                    SELECT position FROM account_event WHERE endpoint = ? AND parked_at IS NULL AND due_at > ?
                    AND (attempts > 0 OR account IS NOT NULL) LIMIT ?\(records.claiming))
                """, [now, endpoint, now + lease, limit])
        }
    }

    /// Events that wait or were given up, the oldest first.
    public func events(
        parked isParked: Bool?, for endpoint: String? = nil, in project: ProjectID?, limit: Int
    ) async throws(ActionError) -> [EventDelivery] {
        let filter = EventFilter(isParked: isParked, endpoint: endpoint, project: project)
        return try await read { records throws(ActionError) in try records.events(filter, limit: limit) }
    }

    /// The newest events first, whatever became of them.
    public func newestEvents(limit: Int) async throws(ActionError) -> [EventDelivery] {
        try await read { records throws(ActionError) in try records.all("\(EventDelivery.select) ORDER BY position DESC LIMIT ?", [limit]) }
    }

    /// The events that wait for an endpoint, the one first that is due first.
    public func waitingEvents(for endpoint: String, limit: Int) async throws(ActionError) -> [EventDelivery] {
        try await read { records throws(ActionError) in
            try records.all(
                "\(EventDelivery.select) WHERE endpoint = ? AND parked_at IS NULL ORDER BY due_at, position LIMIT ?", [endpoint, limit])
        }
    }

    public func deleteEvents(in project: ProjectID) async throws(ActionError) {
        try await claim { records throws(ActionError) in try records.submit("DELETE FROM account_event WHERE project = ?", [project]) }
    }

    /// - Parameter limit: the highest number that is counted to, so that the query stays cheap.
    public func countEvents(parked isParked: Bool, upTo limit: Int) async throws(ActionError) -> Int {
        let filter = EventFilter(isParked: isParked)
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
    public func dropEvents(id: String?, in project: ProjectID?, at now: Timestamp) async throws(ActionError) -> Int {
        let filter = EventFilter(isParked: id == nil ? true : nil, id: id, project: project)
        return try await claim { records throws(ActionError) in
            if id != nil {
                let dropped: [EventDelivery] = try records.all("\(EventDelivery.select) WHERE \(filter.condition)", filter.arguments)
                for delivery in dropped { try records.proceed(after: delivery, at: now) }
            }
            return try records.execute("DELETE FROM account_event WHERE \(filter.condition)", filter.arguments)
        }
    }

    /// Deletes events that no endpoint took.
    public func purgeAccountEvents(before moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge("account_event", key: "position", where: "at < ? ORDER BY at", moment, limit)
    }

    /// Deletes merges that cannot be undone any more.
    public func purgeMerges(before moment: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in try records.submit("DELETE FROM merge WHERE at < ?", [moment]) }
    }
}

/// The events that a command or a query is about.
struct EventFilter: Sendable {
    var isParked: Bool?
    var id: String?
    var endpoint: String?
    var project: ProjectID?
    var account: AccountID?

    var condition: String {
        let parts = [
            isParked.map { "parked_at IS \($0 ? "NOT " : "")NULL" }, id.map { _ in "id = ?" }, endpoint.map { _ in "endpoint = ?" },
            project.map { _ in "project = ?" }, account.map { _ in "account = ?" },
        ].compactMap(\.self)
        return parts.isEmpty ? "1 = 1" : parts.joined(separator: " AND ")
    }

    var arguments: [any SQLConvertible] {
        let all: [(any SQLConvertible)?] = [id, endpoint, project, account]
        return all.compactMap(\.self)
    }
}

extension EventDelivery {
    fileprivate var key: [any SQLConvertible] { [event.id, endpoint] }
    fileprivate var behind: [any SQLConvertible] { [event.project] + key + [position, endpoint] }
}

extension SQLRecords {
    public func events(
        of account: AccountID?, parked isParked: Bool?, in project: ProjectID, limit: Int
    ) throws(ActionError) -> [EventDelivery] {
        try events(EventFilter(isParked: isParked, project: project, account: account), limit: limit)
    }

    func events(_ filter: EventFilter, limit: Int) throws(ActionError) -> [EventDelivery] {
        try all("\(EventDelivery.select) WHERE \(filter.condition) ORDER BY position LIMIT ?", filter.arguments + [limit])
    }

    /// The event as it was leased.
    fileprivate static let lease = "id = ? AND endpoint = ? AND attempts = ?"
    /// The events that wait for one. Its queue may be another since it was leased, by a merge.
    fileprivate static let behind = """
        project = ? AND queue = (SELECT queue FROM account_event WHERE id = ? AND endpoint = ?) AND position > ? AND endpoint = ? \
        AND parked_at IS NULL
        """

    /// Makes the next event of a queue due, whose first one is done.
    fileprivate func proceed(after delivery: EventDelivery, at now: Timestamp) throws(ActionError) {
        try submit("UPDATE account_event SET due_at = ? WHERE \(Self.behind) AND due_at > ?", [now] + delivery.behind + [now])
    }
}
