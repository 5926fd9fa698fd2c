public import Accounts

extension StoredMerge: TableRow {
    static let table = "merge"
    static let columns: TableColumns = "project, account, merged, at, sealed_snapshot"

    var values: [any SQLConvertible] { [project, merge.into, merge.from, at, sealedSnapshot] }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(
            merge: Merge(into: row["account"], from: row["merged"]), project: row["project"], at: row["at"],
            sealedSnapshot: row["sealed_snapshot"])
    }
}

extension StoredRecoveryCode: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) { self.init(factor: try row.next(), digest: try row.next()) }
}

extension SQLRecords {
    public func move(_ link: LinkedProvider, of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError) {
        change(account, in: project) { $0.noteUnlinked([link.provider]) }
        change(other, in: project) { $0.noteLinked(link.provider) }
        try execute(
            "UPDATE linked_provider SET account = ? WHERE project = ? AND account = ? AND provider = ?",
            [other, project, account, link.provider])
    }

    public func move(_ factor: String, of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError) {
        change(account, in: project) { $0.noteRemoved([factor]) }
        change(other, in: project) { $0.noteEnrolled(factor) }
        try execute("DELETE FROM recovery_code WHERE project = ? AND account = ? AND factor = ?", [project, account, factor])
        let position = try nextFactorPosition(of: other, in: project)
        try execute(
            "UPDATE second_factor SET account = ?, position = ? WHERE project = ? AND account = ? AND id = ?",
            [other, position, project, account, factor])
    }

    public func secondFactorsByAdmins(of account: Account) throws(ActionError) -> [String] {
        try column("SELECT id FROM second_factor WHERE project = ? AND account = ? AND by_admin = 1", [account.project, account.id])
    }

    public func recoveryCodes(of account: Account) throws(ActionError) -> [StoredRecoveryCode] {
        try all("SELECT factor, digest FROM recovery_code WHERE project = ? AND account = ?", [account.project, account.id])
    }

    public func insert(_ code: StoredRecoveryCode, of account: Account) throws(ActionError) {
        try execute(
            "INSERT INTO recovery_code (project, account, factor, digest) VALUES (?, ?, ?, ?)",
            [account.project, account.id, code.factor, code.digest])
    }

    public func insert(_ merge: StoredMerge) throws(ActionError) {
        try delete(merge)
        try insert(merge, refusing: [:])
    }

    public func merge(_ merge: Merge, in project: ProjectID) throws(ActionError) -> StoredMerge? {
        try first("\(StoredMerge.select) WHERE project = ? AND account = ? AND merged = ?", [project, merge.into, merge.from])
    }

    public func merges(in project: ProjectID) throws(ActionError) -> [StoredMerge] {
        try all("\(StoredMerge.select) WHERE project = ?", [project])
    }

    public func delete(_ merge: StoredMerge) throws(ActionError) {
        try execute(
            "DELETE FROM merge WHERE project = ? AND account = ? AND merged = ?", [merge.project, merge.merge.into, merge.merge.from])
    }
}
