package import Accounts
package import EmailActions

extension Store: AccountEventStore {
    package func accountEvents(dueAt now: Timestamp, limit: Int) async throws(ActionError) -> [AccountEvent] {
        try await read { records throws(ActionError) in
            try records.all(
                """
                \(AccountEvent.select) AS event WHERE due_at <= ? AND NOT EXISTS (
                    SELECT 1 FROM account_event AS earlier
                    WHERE earlier.project = event.project AND earlier.account = event.account AND earlier.position < event.position)
                ORDER BY position LIMIT ?
                """, [now, limit])
        }
    }

    package func delete(_ event: AccountEvent) async throws(ActionError) {
        try await transaction { records throws(ActionError) in _ = try records.execute("DELETE FROM account_event WHERE id = ?", [event.id])
        }
    }

    package func postpone(_ event: AccountEvent, until moment: Timestamp) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            _ = try records.execute("UPDATE account_event SET due_at = ?, attempts = attempts + 1 WHERE id = ?", [moment, event.id])
        }
    }

    /// Deletes events that no webhook took.
    package func purgeAccountEvents(before moment: Timestamp) async throws(ActionError) {
        try await transaction { records throws(ActionError) in _ = try records.execute("DELETE FROM account_event WHERE at < ?", [moment]) }
    }

    /// Deletes merges that cannot be undone any more.
    package func purgeMerges(before moment: Timestamp) async throws(ActionError) {
        try await transaction { records throws(ActionError) in _ = try records.execute("DELETE FROM merge WHERE at < ?", [moment]) }
    }
}
