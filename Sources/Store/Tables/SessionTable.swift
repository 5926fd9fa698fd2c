public import Accounts
public import Base

extension RefreshTokenRecord: TableRow {
    static let table = "session"
    static let columns: TableColumns = """
        digest, project, account, auth_time, provider, second_factor_method, second_factor, family, parent, created_at, retired_at, claims
        """

    var values: [any SQLConvertible] {
        [
            token, project, account, authTime, provider, secondFactor?.method, secondFactor?.id, family, parent, createdAt, retiredAt,
            claims,
        ]
    }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(
            token: row["digest"], project: row["project"], account: row["account"], authTime: row["auth_time"],
            provider: row["provider"],
            secondFactor: ProvenSecondFactor(method: row["second_factor_method"], id: row["second_factor"]),
            family: row["family"], parent: row["parent"], createdAt: row["created_at"], retiredAt: row["retired_at"],
            claims: row["claims"])
    }
}

extension ProvenSecondFactor {
    /// Nil for a session without a second factor.
    fileprivate init?(method: Method?, id: String?) {
        guard let method, let id else { return nil }
        self.init(method, id: id)
    }
}

extension SQLRecords {
    public func session(_ token: Digest) throws(ActionError) -> RefreshTokenRecord? {
        try first(of: token) { digest throws(ActionError) in try first("\(RefreshTokenRecord.select) WHERE digest = ?", [digest]) }
    }

    public func session(family: Digest, of account: Account) throws(ActionError) -> RefreshTokenRecord? {
        try first(
            "\(RefreshTokenRecord.select) WHERE family = ? AND project = ? AND account = ? ORDER BY created_at DESC LIMIT 1",
            [family, account.project, account.id])
    }

    public func session(of account: Account, by provider: String, since second: Timestamp) throws(ActionError) -> RefreshTokenRecord? {
        try first(
            """
            \(RefreshTokenRecord.select) WHERE project = ? AND account = ? AND provider = ? AND auth_time >= ? AND auth_time < ?
            ORDER BY created_at DESC LIMIT 1
            """, [account.project, account.id, provider, second, second + .seconds(1)])
    }

    public func insert(_ session: RefreshTokenRecord) throws(ActionError) { try insert(session, refusing: [:]) }

    public func retireSession(_ token: Digest, at moment: Timestamp) throws(ActionError) {
        try submit("UPDATE session SET retired_at = ? WHERE digest = ? AND retired_at IS NULL", [moment, token])
    }

    public func deleteSessions(of family: Digest) throws(ActionError) {
        try submit("DELETE FROM session WHERE family = ?", [family])
    }

    public func deleteUnusedSessions(of family: Digest, exceptNewest count: Int, and token: Digest) throws(ActionError) {
        try submit(
            """
            DELETE FROM session WHERE family = ? AND retired_at IS NULL AND digest <> ? AND digest NOT IN (
                SELECT digest FROM session WHERE family = ? AND retired_at IS NULL AND digest <> ?
                ORDER BY created_at DESC, digest LIMIT ?)
            """, [family, token, family, token, count])
    }

    public func trimSessions(of account: AccountID, in project: ProjectID, to most: Int) throws(ActionError) {
        let count = try count(
            "SELECT count(*) FROM (SELECT 1 FROM session WHERE project = ? AND account = ? LIMIT ?) AS counted", [project, account, most])
        guard count >= most else { return }
        try submit(
            """
            DELETE FROM session WHERE digest IN (
                SELECT digest FROM session WHERE project = ? AND account = ?
                ORDER BY retired_at IS NOT NULL DESC, created_at LIMIT ?)
            """, [project, account, most / 10])
    }

    public func deleteSessions(of account: AccountID, in project: ProjectID) throws(ActionError) {
        touch(account, in: project)
        try submit("DELETE FROM session WHERE project = ? AND account = ?", [project, account])
    }
}
