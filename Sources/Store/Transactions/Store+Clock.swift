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

    /// Sets the mark, also back, and ends what was written after `now` while the clock was ahead.
    public func acceptClock(at now: Timestamp) async throws(ActionError) {
        // In tables of many millions it takes longer than other transactions may.
        try await database.writeAlone { db throws(ActionError) in
            let records = SQLRecords(db: db)
            try records.execute(
                """
                INSERT INTO clock (id, mark, acceptances) VALUES (1, ?, 1) ON CONFLICT (id) DO UPDATE
                SET mark = excluded.mark, acceptances = clock.acceptances + 1
                """, [now])
            try records.endAll(writtenAfter: now, at: now)
        }
    }

    /// Ends what servers wrote between an acceptance and the moment when they followed it, if the
    /// clock was ahead by more than the largest step. What they write from then on has right times.
    public func endWhatWasWrittenAhead(at now: Timestamp) async throws(ActionError) {
        try await database.writeAlone { db throws(ActionError) in
            try SQLRecords(db: db).endAll(writtenAfter: now + HighWaterClock.maxStep, at: now)
        }
    }
}

extension SQLRecords {
    /// Ends what has times after `moment`, which would last as long as the clock was ahead. Links
    /// are withdrawn, except those that undo something, which begin now; sessions and codes of text
    /// messages end, what would wait until then is due, pauses are over, suppressions have their
    /// usual length, and a signing key begins in a day.
    fileprivate func endAll(writtenAfter moment: Timestamp, at now: Timestamp) throws(ActionError) {
        try setBackUndoLinks(writtenAfter: moment, to: now)
        try execute(
            "UPDATE code SET ending = ?, ended_at = ? WHERE ending IS NULL AND created_at > ?",
            [StoredCode.EndReason.withdrawn, now, moment])
        try execute("DELETE FROM mail WHERE ending IS NULL AND useless_after IS NOT NULL AND created_at > ?", [moment])
        // Mails that are being sent are due sooner.
        let soon = now + HighWaterClock.maxStep
        try execute("UPDATE mail SET due_at = NULL WHERE ending IS NULL AND due_at > ?", [soon])
        try execute("DELETE FROM session WHERE auth_time > ? OR retired_at > ?", [moment, moment])
        try setBackMoments(after: moment, to: now)
        try execute("DELETE FROM verification_code WHERE expires_at > ?", [moment + VerificationCode.lifetime])
        // The count stays, so that no further guesses are given away.
        for table in ["wrong_second_factor", "wrong_verification_code"] {
            try execute("UPDATE \(table) SET next_at = ? WHERE next_at > ?", [now, now + WrongCodes.longestPause])
        }
        let bounce = now + Suppression.bounceSpan
        try execute("UPDATE mail_suppression SET until = ? WHERE until > ?", [bounce, bounce])
        try execute("UPDATE account_event SET due_at = ? WHERE due_at > ?", [now, soon])
        // No key would be made before this one has signed.
        let next = now + KeySchedule.publishedAhead
        try execute("UPDATE signing_key SET created_at = ?, signs_from = ? WHERE signs_from > ?", [now, next, next])
    }

    /// The changes that these links undo stay, so their owners need them.
    private func setBackUndoLinks(writtenAfter moment: Timestamp, to now: Timestamp) throws(ActionError) {
        for action in Action.allCases where action.isUndo {
            try execute(
                "UPDATE code SET expires_at = expires_at - created_at + ?, created_at = ? WHERE ending IS NULL AND created_at > ? AND action = ?",
                [now, now, moment, action])
            try execute(
                """
                UPDATE mail SET useless_after = useless_after - created_at + ?, created_at = ?
                WHERE ending IS NULL AND created_at > ? AND kind = ?
                """, [now, now, moment, LetterKind.action(action)])
        }
    }

    /// Sets back moments that are compared with later ones: an undo link, for example, ends what
    /// was added after it was sent.
    private func setBackMoments(after moment: Timestamp, to now: Timestamp) throws(ActionError) {
        // A user who came after the address still does.
        let next = now + .milliseconds(1)
        try execute("UPDATE account SET entered_at = ? WHERE entered_at > ? AND entered_at > email_since", [next, max(moment, next)])
        try execute("UPDATE account SET entered_at = ? WHERE entered_at > ?", [now, max(moment, next)])
        for (table, column) in [
            ("session", "created_at"), ("account", "valid_since"), ("account", "phone_linked_at"), ("account", "email_since"),
            ("second_factor", "enrolled_at"), ("linked_provider", "linked_at"), ("proved_address", "unverified_since"),
            ("account_event", "at"),
        ] { try execute("UPDATE \(table) SET \(column) = ? WHERE \(column) > ?", [now, moment]) }
    }
}

extension ClockMark: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) {
        self.init(time: try row.next(), acceptances: try row.next())
    }
}
