public import Accounts
public import Base

/// The high-water mark of the clock.
extension Store {
    /// The mark; nil before the first one.
    public func clockMark() async throws(ActionError) -> ClockMark? {
        try await read { records throws(ActionError) in try records.first("SELECT mark, acceptances FROM clock", []) }
    }

    /// Moves the mark ahead. Does nothing if it is ahead already, or if an operator has set it
    /// since it was read.
    public func advanceClock(to mark: ClockMark) async throws(ActionError) {
        try await claim { records throws(ActionError) in
            try records.submit(
                """
                INSERT INTO clock (id, mark, acceptances) VALUES (1, ?, ?) ON CONFLICT (id) DO UPDATE SET mark = excluded.mark
                WHERE clock.mark < excluded.mark AND clock.acceptances = excluded.acceptances
                """, [mark.time, mark.acceptances])
        }
    }

    /// Sets the mark, also back, and ends what was written while the clock was ahead.
    public func acceptClock(at now: Timestamp) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            try records.execute(
                """
                INSERT INTO clock (id, mark, acceptances) VALUES (1, ?, 1) ON CONFLICT (id) DO UPDATE
                SET mark = excluded.mark, acceptances = clock.acceptances + 1
                """, [now])
            try records.endFuture(after: now, at: now)
        }
    }

    /// Ends what was written while the clock was ahead, if one of the newest live codes, mails with
    /// links or events is from more than an hour after `now`: no smaller jump is noticed, and after
    /// a crash the time may be behind by what was not stored of it. The mark stays.
    /// - Returns: whether one is.
    public func endFuture(at now: Timestamp) async throws(ActionError) -> Bool {
        let limit = now + HighWaterClock.maxStep
        let newest = try await read { records throws(ActionError) -> [Timestamp] in
            let codes: [Timestamp] = try records.column(
                """
                SELECT created_at FROM (SELECT created_at, ending FROM code ORDER BY row_id DESC LIMIT 100) AS newest WHERE ending IS NULL
                """)
            let mails: [Timestamp] = try records.column(
                """
                SELECT created_at FROM (SELECT created_at, ending, useless_after FROM mail ORDER BY id DESC LIMIT 100) AS newest
                WHERE ending IS NULL AND useless_after IS NOT NULL
                """)
            let events: [Timestamp] = try records.column("SELECT at FROM account_event ORDER BY at DESC LIMIT 1")
            return codes + mails + events
        }
        guard newest.contains(where: { $0 > limit }) else { return false }
        try await transaction { records throws(ActionError) in try records.endFuture(after: limit, at: now) }
        return true
    }
}

extension SQLRecords {
    /// Rows with times after `limit` would last as long as the clock was ahead. So their links are
    /// withdrawn, their sessions and codes of text messages end, what would wait until then is due,
    /// pauses are over, suppressions have their usual length, and a signing key begins in a day.
    fileprivate func endFuture(after limit: Timestamp, at now: Timestamp) throws(ActionError) {
        try execute(
            "UPDATE code SET ending = ?, ended_at = ? WHERE ending IS NULL AND created_at > ?",
            [StoredCode.EndReason.withdrawn, now, limit])
        try execute("DELETE FROM mail WHERE ending IS NULL AND useless_after IS NOT NULL AND created_at > ?", [limit])
        // Mails that are being sent are due sooner.
        try execute("UPDATE mail SET due_at = NULL WHERE ending IS NULL AND due_at > ?", [now + HighWaterClock.maxStep])
        try execute("DELETE FROM session WHERE auth_time > ? OR retired_at > ?", [limit, limit])
        try execute("UPDATE session SET created_at = ? WHERE created_at > ?", [now, limit])
        try execute("UPDATE account SET valid_since = ? WHERE valid_since > ?", [now, limit])
        // An undo link ends what was added after its own time.
        for (table, column) in [("second_factor", "enrolled_at"), ("linked_provider", "linked_at"), ("account", "phone_linked_at")] {
            try execute("UPDATE \(table) SET \(column) = ? WHERE \(column) > ?", [now, limit])
        }
        let soon = now + HighWaterClock.maxStep
        try execute("DELETE FROM verification_code WHERE expires_at > ?", [soon])
        // The count stays, so that no further guesses are given away.
        for table in ["wrong_second_factor", "wrong_verification_code"] {
            try execute("UPDATE \(table) SET next_at = ? WHERE next_at > ?", [now, now + WrongCodes.longestPause])
        }
        let bounce = now + Suppression.bounceSpan
        try execute("UPDATE mail_suppression SET until = ? WHERE until > ?", [bounce, bounce])
        try execute("UPDATE account_event SET due_at = ? WHERE due_at > ?", [now, soon])
        try execute("UPDATE account_event SET at = ? WHERE at > ?", [now, limit])
        // No key would be made before this one has signed.
        let next = now + KeySchedule.publishedAhead
        try execute("UPDATE signing_key SET created_at = ?, signs_from = ? WHERE signs_from > ?", [now, next, next])
    }
}

extension ClockMark: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) {
        self.init(time: try row.next(), acceptances: try row.next())
    }
}
