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

extension AccountEvent: TableRow {
    static let table = "account_event"
    static let columns: TableColumns = "id, kind, project, account, merged_into, merged, at, attempts"

    var values: [any SQLConvertible] { [id, kind, project, owner, merge.into, merge.from, at, attempts] }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(
            id: row["id"], kind: row["kind"], merge: Merge(into: row["merged_into"], from: row["merged"]),
            project: row["project"], owner: row["account"], at: row["at"], attempts: row["attempts"])
    }
}

extension AccountEvent.Kind: SQLConvertible {}

extension StoredRecoveryCode: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) { self.init(factor: try row.next(), digest: try row.next()) }
}

extension SQLRecords {
    public func move(_ link: LinkedProvider, of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError) {
        for id in [account, other] { touch(id, in: project) }
        try execute(
            "UPDATE linked_provider SET account = ? WHERE project = ? AND account = ? AND provider = ?",
            [other, project, account, link.provider])
    }

    public func move(_ factor: String, of account: AccountID, to other: AccountID, in project: ProjectID) throws(ActionError) {
        for id in [account, other] { touch(id, in: project) }
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

    public func insert(_ event: AccountEvent) throws(ActionError) { try insert(event, refusing: [:]) }

    public func events(of account: AccountID, in project: ProjectID) throws(ActionError) -> [AccountEvent] {
        try all("\(AccountEvent.select) WHERE project = ? AND account = ? ORDER BY position", [project, account])
    }
}
