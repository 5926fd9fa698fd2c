public import Accounts
public import Base

extension StoredMail: TableRow {
    static let table = "mail"
    static let columns: TableColumns =
        "id, project, account, code, recipient, recipient_digest, kind, language, source, sealed, created_at, useless_after, attempts"

    var values: [any SQLConvertible] {
        [id, project, account, code, recipient, recipientDigest, kind, language, source, sealed, createdAt, uselessAfter, attempts]
    }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(
            id: row["id"], project: row["project"], account: row["account"], code: row["code"], recipient: row["recipient"],
            recipientDigest: row["recipient_digest"], kind: row["kind"], language: row["language"], source: row["source"],
            sealed: row["sealed"], createdAt: row["created_at"], uselessAfter: row["useless_after"],
            attempts: row["attempts"])
    }

    /// Mails that a person waits for come first.
    fileprivate var priority: Int { kind.isAskedFor ? 0 : 1 }
}

extension SQLRecords {
    /// Inserts a mail with a turn behind the waiting mails of its source, but not before the next
    /// turn of its project. So each source has one mail in each round, however many wait.
    ///
    /// Source: start-time fair queueing, Goyal, Vin and Cheng, 1996.
    public func insert(_ mail: StoredMail) throws(ActionError) {
        let turn: [any SQLConvertible] = [mail.project, mail.priority, mail.source, mail.project, mail.priority]
        try submit(Self.mailInsertion, mail.values + [mail.priority] + turn)
    }

    public func hasMail(
        _ kind: LetterKind, to recipient: Digest, in project: ProjectID, since oldest: Timestamp
    ) throws(ActionError) -> Bool {
        try count(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM mail WHERE project = ? AND recipient_digest = ? AND kind = ? AND created_at >= ? LIMIT 1) AS counted
            """, [project, recipient, kind, oldest]) > 0
    }

    private static let mailInsertion = """
        INSERT INTO mail (\(StoredMail.columns), priority, turn) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, (
            SELECT coalesce(max(turn), 0) FROM (
                SELECT max(turn) + 1 AS turn FROM mail WHERE ending IS NULL AND project = ? AND priority = ? AND source = ?
                UNION ALL
                SELECT min(turn) FROM mail WHERE ending IS NULL AND due_at IS NULL AND project = ? AND priority = ?
            ) AS turns))
        """

    public func delete(_ mail: StoredMail) throws(ActionError) { try submit("DELETE FROM mail WHERE id = ?", [mail.id]) }

    public func deleteMails(to recipient: Digest, in project: ProjectID) throws(ActionError) {
        for digest in recipient.candidates {
            try execute("DELETE FROM mail WHERE project = ? AND recipient_digest = ?", [project, digest])
        }
    }
}
