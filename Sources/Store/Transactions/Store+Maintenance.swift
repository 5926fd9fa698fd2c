public import Accounts
public import Base

/// Purges, whole projects, and health.
extension Store {
    public func countAccounts(in project: ProjectID) async throws(ActionError) -> Int {
        try await read { records throws(ActionError) in try records.countAccounts(in: project) }
    }

    /// Deletes every account of a project with everything that belongs to it, and the codes that
    /// have no account.
    public func deleteAccounts(in project: ProjectID) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            try records.execute("DELETE FROM account WHERE project = ?", [project])
            try records.execute("DELETE FROM code WHERE project = ?", [project])
        }
    }

    /// Deletes codes that expired before `moment`, used or not (C17).
    public func purgeCodes(expiredBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge("code", key: "row_id", where: "expires_at < ? ORDER BY expires_at", moment, limit)
    }

    /// Deletes decoys: codes that had ended when they were created, one for each request that named
    /// an unknown account.
    public func purgeDecoys(createdBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge("code", key: "row_id", where: "account IS NULL AND ended_at = created_at AND created_at < ?", moment, limit)
    }

    /// Deletes tries to apply codes of upstreams that began before `moment`.
    public func purgeUpstreamTries(begunBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge("upstream_try", key: "digest", where: "begun_at < ? ORDER BY begun_at", moment, limit)
    }

    /// Deletes refresh tokens that were retired before `moment`.
    public func purgeSessions(retiredBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge("session", key: "digest", where: "retired_at < ? ORDER BY retired_at", moment, limit)
    }

    /// Deletes codes of text messages that expired before `moment`.
    public func purgeVerificationCodes(expiredBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge("verification_code", key: "session", where: "expires_at < ? ORDER BY expires_at", moment, limit)
    }

    /// Deletes the counts of wrong codes for phone numbers whose last pause ended before `moment`.
    public func purgeWrongVerificationCodes(endedBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge(
            "wrong_verification_code", key: "project, phone_number, from_known_network", where: "next_at < ? ORDER BY next_at", moment,
            limit)
    }

    /// Deletes networks from which no user signed in since `moment`.
    public func purgeKnownNetworks(unseenSince moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge("known_network", key: "digest", where: "seen_at < ? ORDER BY seen_at", moment, limit)
    }

    /// Deletes mails that were sent, or ended otherwise, before `moment`.
    public func purgeMails(endedBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge("mail", key: "id", where: "ending IS NOT NULL AND ended_at < ? ORDER BY ended_at", moment, limit)
    }

    /// Deletes suppressions that ended before `moment`.
    public func purgeSuppressions(endedBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await claim { records throws(ActionError) in
            try records.execute(
                """
                DELETE FROM mail_suppression WHERE reason = ? AND (project, recipient_digest) IN (
                    SELECT project, recipient_digest FROM mail_suppression WHERE until < ? ORDER BY until LIMIT ?\(records.claiming))
                """, [Suppression.Reason.bounce, moment, limit])
        }
    }

    /// Deletes what is remembered of reports that were received before `moment`.
    public func purgeReports(receivedBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await purge("mail_report", key: "digest", where: "received_at < ? ORDER BY received_at", moment, limit)
    }

    /// Deletes rows that are older than `moment`, at most `limit`, so that the transaction is
    /// short. Processes that do this at once delete different ones.
    /// - Returns: The number of deleted rows; fewer than `limit` means that none are left.
    func purge(
        _ table: String, key: String, where condition: String, _ moment: Timestamp, _ limit: Int
    ) async throws(ActionError) -> Int {
        try await claim { records throws(ActionError) in
            try records.execute(
                "DELETE FROM \(table) WHERE (\(key)) IN (SELECT \(key) FROM \(table) WHERE \(condition) LIMIT ?\(records.claiming))",
                [moment, limit])
        }
    }

    /// Writes something durably. Returns if the store is up, not locked, not read-only, and its
    /// disk is not full.
    public func ping() async throws(ActionError) {
        // A random number, so that no process waits for another.
        let version = Int.random(in: Int.min..<0)
        try await claim { records throws(ActionError) in
            // An insertion and a deletion, because SQLite writes nothing for an update that changes
            // nothing.
            try records.submit("INSERT INTO migration (version, checksum) VALUES (?, 0)", [version])
            try records.submit("DELETE FROM migration WHERE version = ?", [version])
        }
    }

    /// Runs a transaction of the writer that changes nothing. Returns even if the disk is full.
    public func passWriter() async throws(ActionError) {
        _ = try await claim { records throws(ActionError) in try records.count("SELECT count(*) FROM migration", []) }
    }

    /// The settings that durability depends on, read back, for the tests (D1).
    public func durabilitySettings() async throws(ActionError) -> [String: String] { try await database.durabilitySettings() }
}
