public import Accounts
public import Base

/// An audit record with its position in the order of all records, from which the next page is read.
public struct NumberedAuditRecord: Sendable, Hashable {
    public let position: Int
    public let record: AuditRecord
}

extension Store: AuditStore {
    public func begin(_ record: AuditRecord) async throws(ActionError) -> Int {
        try await transaction { records throws(ActionError) in
            let values = record.values
            let positions: [Int] = try records.column(
                "INSERT INTO \(AuditRecord.table) (\(AuditRecord.columns)) VALUES (\(SQLRecords.placeholders(values.count))) RETURNING position",
                values)
            guard let position = positions.first else { throw ActionError(.failed(cause: "the inserted audit record has no position")) }
            return position
        }
    }

    public func end(_ position: Int, as record: AuditRecord) async throws(ActionError) {
        let changed = try await transaction { records throws(ActionError) in
            try records.execute(
                "UPDATE audit SET subject = ?, outcome = ? WHERE position = ? AND outcome IS NULL",
                [SubjectIDs(ids: record.subjects), record.outcome, position])
        }
        guard changed == 1 else { throw ActionError(.failed(cause: "there is no audit record to complete")) }
    }
}

extension Store {
    /// Audit records in the order in which they began.
    /// - Parameters:
    ///   - position: only records after this one.
    ///   - moment: only records that began then or later; nil for all.
    ///   - project: nil for all.
    public func audit(
        after position: Int, since moment: Timestamp? = nil, in project: ProjectID? = nil, limit: Int
    ) async throws(ActionError) -> [NumberedAuditRecord] {
        let filters: [(condition: String, value: any SQLConvertible)] = [
            moment.map { ("at >= ?", $0) }, project.map { ("project = ?", $0) },
        ].compactMap(\.self)
        let conditions = (["position > ?"] + filters.map(\.condition)).joined(separator: " AND ")
        let arguments: [any SQLConvertible] = [position] + filters.map(\.value) + [limit]
        return try await read { records throws(ActionError) in
            try records.all(
                "SELECT position, \(AuditRecord.columns) FROM audit WHERE \(conditions) ORDER BY position LIMIT ?", arguments)
        }
    }

    /// Deletes records that began before `moment`, the oldest first and at most `limit`, so that
    /// the transaction is short. The newest record is never deleted, so that no position is
    /// assigned twice.
    /// - Returns: The number of deleted records; fewer than `limit` means that none are left.
    public func purgeAudit(before moment: Timestamp, limit: Int) async throws(ActionError) -> Int {
        try await claim { records throws(ActionError) in
            try records.execute(
                """
                DELETE FROM audit WHERE position IN (
                    SELECT position FROM audit WHERE at < ? AND position < (SELECT max(position) FROM audit) ORDER BY at LIMIT ?\(records.claiming))
                """, [moment, limit])
        }
    }
}

extension SQLRecords {
    /// The subject of audit records whose account was erased.
    private static let erased = "(erased)"

    /// An account as it is written among the subjects of a record.
    static func subjectText(_ account: AccountID) -> String { JSON.string(account.rawValue).text }

    public func removeFromAudit(_ account: AccountID, in project: ProjectID) throws(ActionError) -> Int {
        let rows: [NumberedSubjects] = try all(
            "SELECT position, subject FROM audit WHERE project = ? AND subject <> replace(subject, ?, '') ORDER BY position",
            [project, Self.subjectText(account)])
        let naming = rows.filter { $0.subjects.ids.contains(account.rawValue) }
        for row in naming {
            let ids = row.subjects.ids.map { $0 == account.rawValue ? Self.erased : $0 }
            try execute("UPDATE audit SET subject = ? WHERE position = ?", [SubjectIDs(ids: ids), row.position])
        }
        return naming.count
    }
}

private struct NumberedSubjects: RowReadable {
    let position: Int
    let subjects: SubjectIDs
    init(row: inout SQLRow) throws(SQLFailure) { (position, subjects) = (try row.next(), try row.next()) }
}

extension AuditRecord: TableRow {
    static let table = "audit"
    static let columns: TableColumns = "at, actor, method, project, subject, peer, request, outcome"

    var values: [any SQLConvertible] { [at, actor, method, project, SubjectIDs(ids: subjects), peer, request, outcome] }

    init(_ row: NamedRow) throws(SQLFailure) {
        try self.init(at: row["at"], actor: row["actor"], method: row["method"])
        project = try row["project"]
        subjects = try (row["subject"] as SubjectIDs).ids
        peer = try row["peer"]
        request = try row["request"]
        outcome = try row["outcome"]
    }
}

extension NumberedAuditRecord: RowReadable {
    public init(row: inout SQLRow) throws(SQLFailure) {
        self.init(position: try row.next(), record: try AuditRecord(row: &row))
    }
}

/// The ids of an operation's subjects in one column: a JSON array, because an id may contain any
/// character; NULL for none.
private struct SubjectIDs: SQLConvertible {
    let ids: [String]

    init(ids: [String]) { self.ids = ids }

    init?(sql: SQLValue) {
        switch sql {
        case .null: ids = []
        case .text(let text):
            guard let items = try? JSON(Array(text.utf8)).items else { return nil }
            ids = items.compactMap(\.string)
        default: return nil
        }
    }

    var sql: SQLValue { ids.isEmpty ? .null : .text(JSON.array(ids.map { .string($0) }).text) }
}

extension AuditOutcome: SQLConvertible {
    private static let done = "done"

    public init?(sql: SQLValue) {
        guard case .text(let text) = sql else { return nil }
        self = text == Self.done ? .done : .refused(code: text)
    }

    public var sql: SQLValue {
        switch self {
        case .done: .text(Self.done)
        case .refused(let code): .text(code)
        }
    }
}
