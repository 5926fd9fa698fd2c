public import Accounts
public import Base

/// A row of `second_factor`: a second factor with the account that it belongs to.
private struct EnrolledFactor: TableRow {
    static let table = "second_factor"
    static let columns: TableColumns = "project, account, id, kind, display_name, phone_number, sealed_key, enrolled_at, position"

    let project: ProjectID
    let account: AccountID
    let factor: SecondFactor
    let position: Int

    var values: [any SQLConvertible] {
        [project, account, factor.id, factor.kind, factor.displayName, factor.phoneNumber, factor.sealedKey, factor.enrolledAt, position]
    }
}

extension EnrolledFactor {
    init(_ row: NamedRow) throws(SQLFailure) {
        project = try row["project"]
        account = try row["account"]
        factor = try SecondFactor(
            id: row["id"], kind: row["kind"], displayName: row["display_name"], phoneNumber: row["phone_number"],
            sealedKey: row["sealed_key"], enrolledAt: row["enrolled_at"])
        position = try row["position"]
    }
}

extension SQLRecords {
    public func secondFactors(of account: AccountID, in project: ProjectID) throws(ActionError) -> [SecondFactor] {
        let rows: [EnrolledFactor] = try all(
            "\(EnrolledFactor.select) WHERE project = ? AND account = ? ORDER BY position", [project, account])
        return rows.map(\.factor)
    }

    /// The place behind the factors that an account has.
    func nextFactorPosition(of account: AccountID, in project: ProjectID) throws(ActionError) -> Int {
        try count("SELECT coalesce(max(position) + 1, 0) FROM second_factor WHERE project = ? AND account = ?", [project, account])
    }

    public func insert(_ factor: SecondFactor, of account: AccountID, in project: ProjectID, byAdmin: Bool) throws(ActionError) {
        change(account, in: project) { $0.noteEnrolled(factor.id) }
        let position = try nextFactorPosition(of: account, in: project)
        let row = EnrolledFactor(project: project, account: account, factor: factor, position: position)
        try submit(
            "INSERT INTO second_factor (\(EnrolledFactor.columns), by_admin) VALUES (\(Self.placeholders(10)))", row.values + [byAdmin])
    }

    public func orderSecondFactors(_ ids: [String], of account: AccountID, in project: ProjectID) throws(ActionError) {
        touch(account, in: project)
        for (position, id) in ids.enumerated() {
            try execute(
                "UPDATE second_factor SET position = ? WHERE project = ? AND account = ? AND id = ?", [position, project, account, id])
        }
    }

    public func deleteSecondFactor(_ id: String, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool {
        let isRemoved = try changesRow("DELETE FROM second_factor WHERE project = ? AND account = ? AND id = ?", [project, account, id])
        if isRemoved { change(account, in: project) { $0.noteRemoved([id]) } }
        return isRemoved
    }

    public func deleteSecondFactors(
        of account: AccountID, in project: ProjectID, since: Timestamp, sparingAdmins: Bool
    ) throws(ActionError) {
        let removed: [String] = try column(
            "DELETE FROM second_factor WHERE project = ? AND account = ? AND enrolled_at >= ? AND by_admin <= ? RETURNING id",
            [project, account, since, !sparingAdmins])
        change(account, in: project) { $0.noteRemoved(removed) }
    }

    public func use(_ step: Int64, of factor: SecondFactor, of account: Account) throws(ActionError) -> Bool {
        try execute(
            """
            UPDATE second_factor SET last_step = ? WHERE project = ? AND account = ? AND id = ? AND coalesce(last_step, -1) < ?
            """, [step, account.project, account.id, factor.id, step]) == 1
    }

    public func insert(recoveryCodes: [Digest], of factor: SecondFactor, of account: Account) throws(ActionError) {
        for digest in recoveryCodes {
            try execute(
                "INSERT INTO recovery_code (project, account, factor, digest) VALUES (?, ?, ?, ?)",
                [account.project, account.id, factor.id, digest])
        }
    }

    public func spend(recoveryCode: Digest, of account: Account) throws(ActionError) -> Bool {
        try first(of: recoveryCode) { digest throws(ActionError) in
            try execute(
                "DELETE FROM recovery_code WHERE project = ? AND account = ? AND digest = ?", [account.project, account.id, digest])
                == 1 ? digest : nil
        } != nil
    }
}
