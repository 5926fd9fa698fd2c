package import Accounts

/// A key for the admin API, as the store keeps it. The key itself is shown once, when it is
/// created.
package struct AdminKey: Sendable, Hashable {
    package let digest: Digest
    /// Names the key in `onward admin-key list` and `revoke`.
    package let id: String
    /// The operator's name for the key.
    package let label: String
    package let createdAt: Timestamp
    package let revokedAt: Timestamp?

    package init(digest: Digest, id: String, label: String, createdAt: Timestamp, revokedAt: Timestamp? = nil) {
        self.digest = digest
        self.id = id
        self.label = label
        self.createdAt = createdAt
        self.revokedAt = revokedAt
    }
}

extension AdminKey: TableRow {
    static let table = "admin_key"
    static let columns = "digest, id, label, created_at, revoked_at"

    var values: [any SQLConvertible] { [digest, id, label, createdAt, revokedAt] }

    package init(row: inout SQLRow) throws(SQLFailure) {
        self.init(digest: try row.next(), id: try row.next(), label: try row.next(), createdAt: try row.next(), revokedAt: try row.next())
    }
}

extension Store {
    package func insert(_ key: AdminKey) async throws(ActionError) {
        try await transaction { records throws(ActionError) in try records.insert(key) }
    }

    /// The key with this keyed digest; nil if there is none or it was revoked.
    package func adminKey(_ digest: Digest) async throws(ActionError) -> AdminKey? {
        try await read { records throws(ActionError) in
            try records.first("\(AdminKey.select) WHERE digest = ? AND revoked_at IS NULL", [digest])
        }
    }

    /// All keys, oldest first, including revoked ones.
    package func adminKeys() async throws(ActionError) -> [AdminKey] {
        try await read { records throws(ActionError) in try records.all("\(AdminKey.select) ORDER BY created_at, id") }
    }

    /// Revokes a key.
    /// - Returns: false if there is no such key, or it was revoked before.
    package func revokeAdminKey(_ id: String, at now: Timestamp) async throws(ActionError) -> Bool {
        try await transaction { records throws(ActionError) in
            try records.execute("UPDATE admin_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", [now, id]) == 1
        }
    }
}
