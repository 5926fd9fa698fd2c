public import Accounts
public import Base

/// A key for the admin API, as the store keeps it. The key itself is shown once, when it is
/// created.
public struct AdminKey: Sendable, Hashable {
    public let digest: Digest
    /// Names the key in `onward admin-key list` and `revoke`.
    public let id: String
    /// The operator's name for the key.
    public let label: String
    public let scope: AdminScope
    public let createdAt: Timestamp
    /// Nil for a key that does not expire.
    public let expiresAt: Timestamp?
    public let revokedAt: Timestamp?

    public init(
        digest: Digest, id: String, label: String, scope: AdminScope, createdAt: Timestamp, expiresAt: Timestamp? = nil,
        revokedAt: Timestamp? = nil
    ) {
        self.digest = digest
        self.id = id
        self.label = label
        self.scope = scope
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
    }

    public enum State: String { case active, expired, revoked }

    public func state(at now: Timestamp) -> State {
        if revokedAt != nil { return .revoked }
        return expiresAt.map { $0 <= now } ?? false ? .expired : .active
    }
}

extension AdminKey: TableRow {
    static let table = "admin_key"
    static let columns: TableColumns = "digest, id, label, project, permissions, created_at, expires_at, revoked_at"

    var values: [any SQLConvertible] { [digest, id, label, scope.project, scope.permissions, createdAt, expiresAt, revokedAt] }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(
            digest: row["digest"], id: row["id"], label: row["label"],
            scope: AdminScope(project: row["project"], permissions: row["permissions"]), createdAt: row["created_at"],
            expiresAt: row["expires_at"], revokedAt: row["revoked_at"])
    }
}

extension Set<AdminScope.Permission>: SQLConvertible {
    public init?(sql: SQLValue) {
        guard let names = String(sql: sql) else { return nil }
        self.init(names: names)
    }
    public var sql: SQLValue { .text(names) }
}

extension Store {
    public func insert(_ key: AdminKey) async throws(ActionError) {
        try await transaction { records throws(ActionError) in try records.insert(key) }
    }

    /// The key with this keyed digest; nil if there is none that works at the moment.
    public func adminKey(_ digest: Digest, at now: Timestamp) async throws(ActionError) -> AdminKey? {
        let key: AdminKey? = try await read { records throws(ActionError) in
            try records.first(of: digest) { digest throws(ActionError) in
                try records.first("\(AdminKey.select) WHERE digest = ?", [digest])
            }
        }
        return key?.state(at: now) == .active ? key : nil
    }

    /// All keys, oldest first, including revoked ones.
    public func adminKeys() async throws(ActionError) -> [AdminKey] {
        try await read { records throws(ActionError) in try records.all("\(AdminKey.select) ORDER BY created_at, id") }
    }

    /// Revokes a key.
    /// - Returns: false if there is no such key, or it was revoked before.
    public func revokeAdminKey(_ id: String, at now: Timestamp) async throws(ActionError) -> Bool {
        try await transaction { records throws(ActionError) in
            try records.execute("UPDATE admin_key SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", [now, id]) == 1
        }
    }
}
