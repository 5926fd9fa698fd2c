package import Accounts

/// A row of `second_factor`: a second factor with the account that it belongs to.
private struct EnrolledFactor: TableRow {
    static let table = "second_factor"
    static let columns = "project, account, id, kind, display_name, phone_number, enrolled_at"

    let project: ProjectID
    let account: AccountID
    let factor: SecondFactor

    var values: [any SQLConvertible] {
        [project, account, factor.id, factor.kind, factor.displayName, factor.phoneNumber, factor.enrolledAt]
    }
}

extension EnrolledFactor {
    init(row: inout SQLRow) throws(SQLFailure) {
        project = try row.next()
        account = try row.next()
        factor = SecondFactor(
            id: try row.next(), kind: try row.next(), displayName: try row.next(), phoneNumber: try row.next(), enrolledAt: try row.next())
    }
}

extension Records {
    package func secondFactors(of account: AccountID, in project: ProjectID) throws(ActionError) -> [SecondFactor] {
        let rows: [EnrolledFactor] = try all(
            "\(EnrolledFactor.select) WHERE project = ? AND account = ? ORDER BY enrolled_at, id", [project, account])
        return rows.map(\.factor)
    }

    package func insert(_ factor: SecondFactor, of account: AccountID, in project: ProjectID) throws(ActionError) {
        try insert(EnrolledFactor(project: project, account: account, factor: factor))
    }

    package func deleteSecondFactor(_ id: String, of account: AccountID, in project: ProjectID) throws(ActionError) -> Bool {
        try execute("DELETE FROM second_factor WHERE project = ? AND account = ? AND id = ?", [project, account, id]) == 1
    }
}
