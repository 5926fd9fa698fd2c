package import Accounts

/// What operators and the emulator's routes ask, beyond the life of one account.
extension Store {
    package func countAccounts(in project: ProjectID) async throws(ActionError) -> Int {
        try await read { records throws(ActionError) in try records.countAccounts(in: project) }
    }

    /// Forgets every account of a project with all that hangs on it, and the codes that have no account.
    package func deleteAccounts(in project: ProjectID) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            try records.execute("DELETE FROM account WHERE project = ?", [project])
            try records.execute("DELETE FROM code WHERE project = ?", [project])
        }
    }

    /// Forgets codes that expired before `moment`, whatever became of them, the oldest first and only a few, so that no one waits for
    /// it (C17).
    /// - Returns: How many it forgot; fewer than `limit` means that none are left.
    package func purgeCodes(expiredBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            try records.execute(
                "DELETE FROM code WHERE row_id IN (SELECT row_id FROM code WHERE expires_at < ? ORDER BY expires_at LIMIT ?)",
                [moment, limit])
        }
    }

    /// Forgets decoys, codes that were over when they were made: there is one for each asking after an unknown account.
    package func purgeDecoys(madeBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            try records.execute(
                """
                DELETE FROM code WHERE row_id IN (
                    SELECT row_id FROM code WHERE account IS NULL AND ended_at = created_at AND created_at < ? LIMIT ?)
                """, [moment, limit])
        }
    }

    /// Forgets tries to apply codes of upstreams that began before `moment`, a few at a time like the codes.
    package func purgeUpstreamTries(begunBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            try records.execute(
                "DELETE FROM upstream_try WHERE digest IN (SELECT digest FROM upstream_try WHERE begun_at < ? ORDER BY begun_at LIMIT ?)",
                [moment, limit])
        }
    }

    /// Forgets refresh tokens that were superseded before `moment`, a few at a time like the codes.
    package func purgeSessions(retiredBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            try records.execute(
                "DELETE FROM session WHERE digest IN (SELECT digest FROM session WHERE retired_at < ? ORDER BY retired_at LIMIT ?)",
                [moment, limit])
        }
    }

    /// Returns when something was durably written: the store is up, not locked, not read-only and its disk is not full.
    package func ping() async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            // SQLite writes nothing for an update that changes nothing.
            _ = try records.execute("INSERT INTO migration (version, checksum) VALUES (0, 0)")
            _ = try records.execute("DELETE FROM migration WHERE version = 0")
        }
    }

    /// The settings that durability hangs on, read back, for the health report (D1).
    package func findings() async throws(ActionError) -> [String: String] { try await connection.findings() }
}
