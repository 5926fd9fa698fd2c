package import Accounts

extension Session: Row {
    static let table = "session"
    static let columns = "digest, project, account, auth_time, provider"

    var values: [any SQLConvertible] { [token, project, account, authTime, provider] }

    package init(row: inout SQLRow) throws(SQLFailure) {
        self.init(
            token: try row.next(), project: try row.next(), account: try row.next(), authTime: try row.next(), provider: try row.next())
    }
}

extension Records {
    package func session(_ token: Digest) throws(ActionError) -> Session? { try first("\(Session.select) WHERE digest = ?", [token]) }

    package func insert(_ session: Session) throws(ActionError) { try insert(session, refusing: [:]) }

    package func deleteSessions(of account: AccountID, in project: ProjectID) throws(ActionError) {
        try execute("DELETE FROM session WHERE project = ? AND account = ?", [project, account])
    }
}
