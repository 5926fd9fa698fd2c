public import Accounts
public import Base

/// Queries and changes of single mails, by admins.
extension Store {
    public func mailRecords(
        to recipient: Digest, in project: ProjectID, before id: MailID?, limit: Int, at now: Timestamp
    ) async throws(ActionError) -> [MailRecord] {
        try await read { records throws(ActionError) in
            try records.mailRecords(.to(recipient), in: project, before: id, limit: limit, at: now)
        }
    }

    /// The mails that wait or are parked, oldest first.
    public func mailQueue(limit: Int, at now: Timestamp) async throws(ActionError) -> [MailRecord] {
        try await read { records throws(ActionError) in
            let waiting: [MailRow] = try records.all(
                "\(MailRow.select) WHERE mail.ending IS NULL ORDER BY mail.created_at LIMIT ?", [limit])
            let parked: [MailRow] = try records.all(
                "\(MailRow.select) WHERE mail.ending IS NOT NULL AND mail.ending = ? ORDER BY mail.ended_at DESC LIMIT ?",
                [MailEndReason.parked, limit])
            return (waiting + parked).map { $0.record(at: now) }
        }
    }

    public func mailRecord(_ id: MailID, at now: Timestamp) async throws(ActionError) -> MailRecord? {
        try await read { records throws(ActionError) in
            let row: MailRow? = try records.first("\(MailRow.select) WHERE mail.id = ?", [id])
            return row?.record(at: now)
        }
    }

    /// Makes a parked mail wait again, or a waiting one due now.
    /// - Returns: whether there was such a mail.
    public func retryMail(_ id: MailID) async throws(ActionError) -> Bool {
        try await transaction { records throws(ActionError) in
            try records.execute(
                """
                UPDATE mail SET ending = NULL, ended_at = NULL, due_at = NULL,
                    attempts = CASE WHEN ending IS NULL THEN attempts ELSE 0 END
                WHERE id = ? AND sealed IS NOT NULL AND (ending IS NULL OR ending = ?)
                """, [id, MailEndReason.parked]) == 1
        }
    }

    /// Removes a mail that waits or is parked from the queue, with its letter.
    /// - Returns: whether there was such a mail.
    public func dropMail(_ id: MailID, at now: Timestamp) async throws(ActionError) -> Bool {
        try await transaction { records throws(ActionError) in
            try records.execute(
                """
                UPDATE mail SET ending = ?, ended_at = ?, due_at = NULL, sealed = NULL, recipient = NULL
                WHERE id = ? AND (ending IS NULL OR ending = ?)
                """, [MailEndReason.dropped, now, id, MailEndReason.parked]) == 1
        }
    }
}

extension SQLRecords {
    public func mailRecords(
        _ selection: MailSelection, in project: ProjectID, before id: MailID?, limit: Int, at now: Timestamp
    ) throws(ActionError) -> [MailRecord] {
        let condition: String
        var arguments: [any SQLConvertible] = [project]
        switch selection {
        case .to(let recipient):
            let digests: [any SQLConvertible] = recipient.candidates
            condition = "recipient_digest IN (\(Self.placeholders(digests.count)))"
            arguments += digests
        case .about(let account):
            condition = "mail.account = ?"
            arguments.append(account)
        case .parked: condition = "mail.ending = 'parked'"
        case .waiting: condition = "mail.ending IS NULL"
        }
        // Those that wait are read as their index has them, by time, and not by an index of the
        // project, from which all would have to be sorted.
        let isWaiting = if case .waiting = selection { true } else { false }
        let (column, order) = isWaiting ? ("mail.project || ''", "mail.created_at") : ("mail.project", "mail.id DESC")
        let rows: [MailRow] = try all(
            "\(MailRow.select) WHERE \(column) = ? AND \(condition) AND mail.id < ? ORDER BY \(order) LIMIT ?",
            arguments + [id ?? MailID(rawValue: .max), limit])
        return rows.map { $0.record(at: now) }
    }
}

/// A mail with the end of its code.
private struct MailRow: RowReadable {
    static let select = """
        SELECT mail.id, mail.project, mail.account, kind, mail.language, mail.created_at, attempts, due_at, mail.ending, mail.ended_at, relay, answer,
            code.ending, code.expires_at
        FROM mail LEFT JOIN code ON code.row_id = mail.code
        """

    private let id: MailID
    private let project: ProjectID
    private let account: AccountID?
    private let kind: LetterKind
    private let language: String
    private let createdAt: Timestamp
    private let attempts: Int
    private let dueAt: Timestamp?
    private let end: MailEndReason?
    private let endedAt: Timestamp?
    private let relay, answer: String?
    private let codeEnd: StoredCode.EndReason?
    private let codeExpiresAt: Timestamp?

    init(row: inout SQLRow) throws(SQLFailure) {
        (id, project, account) = (try row.next(), try row.next(), try row.next())
        (kind, language) = (try row.next(), try row.next())
        (createdAt, attempts, dueAt) = (try row.next(), try row.next(), try row.next())
        (end, endedAt, relay, answer) = (try row.next(), try row.next(), try row.next(), try row.next())
        (codeEnd, codeExpiresAt) = (try row.next(), try row.next())
    }

    func record(at now: Timestamp) -> MailRecord {
        MailRecord(
            id: id, project: project, account: account, kind: kind, language: language, createdAt: createdAt, attempts: attempts,
            dueAt: dueAt, end: end, endedAt: endedAt, relay: relay, answer: answer, code: code(at: now))
    }

    private func code(at now: Timestamp) -> MailRecord.Code? {
        switch codeEnd {
        case .used: .used
        case .withdrawn: .withdrawn
        case nil: codeExpiresAt.map { now >= $0 ? .expired : .live }
        }
    }
}
