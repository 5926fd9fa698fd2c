public import Accounts
public import Base

extension Store {
    public func leaseAccountEvent(until end: Timestamp, at now: Timestamp) async throws(ActionError) -> AccountEvent? {
        try await claim { records throws(ActionError) in
            // An earlier event of the same account exists until it is delivered, also while it is
            // leased.
            let event: AccountEvent? = try records.first(
                """
                \(AccountEvent.select) AS event WHERE due_at <= ? AND NOT EXISTS (
                    SELECT 1 FROM account_event AS earlier
                    WHERE earlier.project = event.project AND earlier.account = event.account AND earlier.position < event.position)
                ORDER BY position LIMIT 1\(records.claiming)
                """, [now])
            if let event { try records.submit("UPDATE account_event SET due_at = ? WHERE id = ?", [end, event.id]) }
            return event
        }
    }

    public func delete(_ event: AccountEvent) async throws(ActionError) {
        try await claim { records throws(ActionError) in try records.submit("DELETE FROM account_event WHERE id = ?", [event.id]) }
    }

    public func postpone(_ event: AccountEvent, until moment: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.submit(
                "UPDATE account_event SET due_at = ?, attempts = attempts + 1 WHERE id = ? AND attempts = ?",
                [moment, event.id, event.attempts])
        }
    }

    /// Deletes events that no webhook took.
    public func purgeAccountEvents(before moment: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in try records.submit("DELETE FROM account_event WHERE at < ?", [moment]) }
    }

    /// Deletes merges that cannot be undone any more.
    public func purgeMerges(before moment: Timestamp) async throws(ActionError) {
        try await claim { records throws(ActionError) in try records.submit("DELETE FROM merge WHERE at < ?", [moment]) }
    }
}
