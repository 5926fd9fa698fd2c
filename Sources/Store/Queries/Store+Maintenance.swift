package import Accounts

/// Purges, whole projects, and health.
extension Store {
    package func countAccounts(in project: ProjectID) async throws(ActionError) -> Int {
        try await read { records throws(ActionError) in try records.countAccounts(in: project) }
    }

    /// Deletes every account of a project with everything that belongs to it, and the codes that
    /// have no account.
    package func deleteAccounts(in project: ProjectID) async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            try records.execute("DELETE FROM account WHERE project = ?", [project])
            try records.execute("DELETE FROM code WHERE project = ?", [project])
        }
    }

    /// Deletes codes that expired before `moment`, used or not, the oldest first and at most
    /// `limit`, so that the transaction is short (C17).
    /// - Returns: The number of deleted codes; fewer than `limit` means that none are left.
    package func purgeCodes(expiredBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            try records.execute(
                "DELETE FROM code WHERE row_id IN (SELECT row_id FROM code WHERE expires_at < ? ORDER BY expires_at LIMIT ?)",
                [moment, limit])
        }
    }

    /// Deletes decoys: codes that had ended when they were created, one for each request that named
    /// an unknown account.
    package func purgeDecoys(createdBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            try records.execute(
                """
                DELETE FROM code WHERE row_id IN (
                    SELECT row_id FROM code WHERE account IS NULL AND ended_at = created_at AND created_at < ? LIMIT ?)
                """, [moment, limit])
        }
    }

    /// Deletes tries to apply codes of upstreams that began before `moment`, in batches like codes.
    package func purgeUpstreamTries(begunBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            try records.execute(
                "DELETE FROM upstream_try WHERE digest IN (SELECT digest FROM upstream_try WHERE begun_at < ? ORDER BY begun_at LIMIT ?)",
                [moment, limit])
        }
    }

    /// Deletes refresh tokens that were retired before `moment`, in batches like codes.
    package func purgeSessions(retiredBefore moment: Timestamp, limit: Int = 500) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            try records.execute(
                "DELETE FROM session WHERE digest IN (SELECT digest FROM session WHERE retired_at < ? ORDER BY retired_at LIMIT ?)",
                [moment, limit])
        }
    }

    /// Writes something durably. Returns if the store is up, not locked, not read-only, and its
    /// disk is not full.
    package func ping() async throws(ActionError) {
        try await transaction { records throws(ActionError) in
            // An insertion and a deletion, because SQLite writes nothing for an update that changes
            // nothing.
            _ = try records.execute("INSERT INTO migration (version, checksum) VALUES (0, 0)")
            _ = try records.execute("DELETE FROM migration WHERE version = 0")
        }
    }

    /// The settings that durability depends on, read back, for the tests (D1).
    package func durabilitySettings() async throws(ActionError) -> [String: String] { try await database.durabilitySettings() }
}
