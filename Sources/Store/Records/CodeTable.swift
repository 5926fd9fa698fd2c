package import Accounts
package import EmailActions

extension StoredCode: Row {
    static let table = "code"
    static let columns = """
        digest, project, action, account, email, new_email, second_factor, settings, language, created_at, \
        expires_at, ending, ended_at
        """

    var values: [any SQLConvertible] {
        get throws(SQLFailure) {
            [
                digest, project, action, account, email, newEmail, secondFactor, try settings.json, language, createdAt,
                expiresAt, end, endedAt,
            ]
        }
    }

    package init(row: inout SQLRow) throws(SQLFailure) {
        self.init(
            digest: try row.next(), project: try row.next(), action: try row.next(), account: try row.next(), email: try row.next(),
            newEmail: try row.next(), secondFactor: try row.next(), settings: try ActionCodeSettings(json: try row.next()),
            language: try row.next(), createdAt: try row.next(), expiresAt: try row.next(), end: try row.next(), endedAt: try row.next())
    }
}

extension Records: ActionRecords {
    /// Live at a moment: neither ended nor expired; equality counts as expired (C8).
    private static let live = "ending IS NULL AND expires_at > ?"

    package func code(_ digest: Digest) throws(ActionError) -> StoredCode? { try first(Self.codeByDigest, [digest]) }

    private static let codeByDigest = "\(StoredCode.select) WHERE digest = ?"

    package func newestLiveCode(
        for action: Action, email: EmailAddress, in project: ProjectID, at now: Timestamp
    ) throws(ActionError) -> Timestamp? {
        let moments: [Timestamp?] = try column(Self.newestLive, [now, project, email, action])
        return moments.first ?? nil
    }

    private static let newestLive = "SELECT max(created_at) FROM code WHERE \(live) AND project = ? AND email = ? AND action = ?"

    package func liveUndo(
        of account: AccountID, in project: ProjectID, restoring email: EmailAddress, at now: Timestamp
    ) throws(ActionError) -> Timestamp? {
        let moments: [Timestamp] = try column(
            """
            SELECT created_at FROM code WHERE \(Self.live) AND project = ? AND account = ? AND action = ? AND email = ?
            ORDER BY created_at LIMIT 1
            """, [now, project, account, Action.recoverEmail, email])
        return moments.first
    }

    package func insert(_ code: StoredCode) throws(ActionError) { try insert(code, refusing: [:]) }

    package func spend(_ digest: Digest, at now: Timestamp) throws(ActionError) -> Bool {
        try execute(Self.spending, [StoredCode.End.used, now, digest, now]) == 1
    }

    private static let spending = "UPDATE code SET ending = ?, ended_at = ? WHERE digest = ? AND \(live)"

    package func withdrawCodes(
        of account: AccountID, in project: ProjectID, for actions: [Action], madeSince since: Timestamp, at now: Timestamp
    ) throws(ActionError) {
        for action in actions {
            try execute(Self.withdrawal, [StoredCode.End.withdrawn, now, project, account, action, since, now])
        }
    }

    private static let withdrawal = """
        UPDATE code SET ending = ?, ended_at = ? WHERE project = ? AND account = ? AND action = ? AND created_at >= ? AND \(live)
        """

    package func withdrawCodes(
        to email: EmailAddress, in project: ProjectID, for action: Action, at now: Timestamp
    ) throws(ActionError) {
        try execute(
            "UPDATE code SET ending = ?, ended_at = ? WHERE project = ? AND email = ? AND action = ? AND \(Self.live)",
            [StoredCode.End.withdrawn, now, project, email, action, now])
    }
}
