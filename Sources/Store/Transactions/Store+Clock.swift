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

    /// Sets the mark, also back. Rows with times after `now`, which were written while the clock
    /// was ahead, would last as long as it was ahead. So their links are withdrawn, except those
    /// that undo something, which begin now; their sessions and codes of text messages end, what
    /// would wait until then is due, pauses are over, suppressions have their usual length, and a
    /// signing key begins in a day.
    public func acceptClock(at now: Timestamp) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            try records.execute(
                """
                INSERT INTO clock (id, mark, acceptances) VALUES (1, ?, 1) ON CONFLICT (id) DO UPDATE
                SET mark = excluded.mark, acceptances = clock.acceptances + 1
                """, [now])
            try records.setBackUndoLinks(to: now)
            try records.execute(
                "UPDATE code SET ending = ?, ended_at = ? WHERE ending IS NULL AND created_at > ?",
                [StoredCode.EndReason.withdrawn, now, now])
            try records.execute(
                "DELETE FROM mail WHERE ending IS NULL AND useless_after IS NOT NULL AND created_at > ?", [now])
            // Mails that are being sent are due sooner.
            try records.execute(
                "UPDATE mail SET due_at = NULL WHERE ending IS NULL AND due_at > ?", [now + HighWaterClock.maxStep])
            try records.execute("DELETE FROM session WHERE auth_time > ? OR retired_at > ?", [now, now])
            try records.setBackMoments(to: now)
            let soon = now + HighWaterClock.maxStep
            try records.execute("DELETE FROM verification_code WHERE expires_at > ?", [soon])
            // The count stays, so that no further guesses are given away.
            for table in ["wrong_second_factor", "wrong_verification_code"] {
                try records.execute("UPDATE \(table) SET next_at = ? WHERE next_at > ?", [now, now + WrongCodes.longestPause])
            }
            let bounce = now + Suppression.bounceSpan
            try records.execute("UPDATE mail_suppression SET until = ? WHERE until > ?", [bounce, bounce])
            try records.execute("UPDATE account_event SET due_at = ? WHERE due_at > ?", [now, soon])
            // No key would be made before this one has signed.
            let next = now + KeySchedule.publishedAhead
            try records.execute("UPDATE signing_key SET created_at = ?, signs_from = ? WHERE signs_from > ?", [now, next, next])
        }
    }
}

extension SQLRecords {
    /// The changes that these links undo stay, so their owners need them.
    fileprivate func setBackUndoLinks(to now: Timestamp) throws(ActionError) {
        for action in Action.allCases where action.isUndo {
            try execute(
                "UPDATE code SET expires_at = expires_at - created_at + ?, created_at = ? WHERE ending IS NULL AND created_at > ? AND action = ?",
                [now, now, now, action])
            try execute(
                """
                UPDATE mail SET useless_after = useless_after - created_at + ?, created_at = ?
                WHERE ending IS NULL AND created_at > ? AND kind = ?
                """, [now, now, now, LetterKind.action(action)])
        }
    }

    /// Sets back moments that are compared with later ones: an undo link, for example, ends what
    /// was added after it was sent.
    fileprivate func setBackMoments(to now: Timestamp) throws(ActionError) {
        // A user who came after the address still does.
        let next = now + .milliseconds(1)
        try execute("UPDATE account SET entered_at = ? WHERE entered_at > ? AND entered_at > email_since", [next, next])
        try execute("UPDATE account SET entered_at = ? WHERE entered_at > ?", [now, next])
        for (table, column) in [
            ("session", "created_at"), ("account", "valid_since"), ("account", "phone_linked_at"), ("account", "email_since"),
            ("second_factor", "enrolled_at"), ("linked_provider", "linked_at"), ("proved_address", "unverified_since"),
            ("account_event", "at"),
        ] { try execute("UPDATE \(table) SET \(column) = ? WHERE \(column) > ?", [now, now]) }
    }
}

extension ClockMark: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) {
        self.init(time: try row.next(), acceptances: try row.next())
    }
}
