internal import Accounts

/// The statements that read and write the rows of one table in the order of its primary key.
struct TablePages: Sendable {
    let table: TableDefinition

    /// Rows are inserted so many by one statement, so that a copy over a network does not wait for
    /// each. The rest is inserted one by one, so that there are only two statements for each table.
    private static let rowsPerStatement = 64

    private var columns: String { table.columns.joined(separator: ", ") }
    private var key: String { table.key.joined(separator: ", ") }

    /// - Parameter position: the values of the primary key after which the page begins; nil: from
    ///   the first row.
    func rows(after position: [SQLValue]?, limit: Int, in db: any SQLStatements) throws(SQLFailure) -> [[SQLValue]] {
        let from = position == nil ? "" : "WHERE (\(key)) > (\(SQLRecords.placeholders(table.key.count)))"
        let rows = try db.rows(
            "SELECT \(columns) FROM \(table.name) \(from) ORDER BY \(key) LIMIT ?", (position ?? []) + [.integer(Int64(limit))])
        return try rows.map { row throws(SQLFailure) in try row.values(table.columns.count) }
    }

    /// The primary key of a row that `rows` returned.
    func key(of row: [SQLValue]) -> [SQLValue] {
        table.key.compactMap { name in table.columns.firstIndex(of: name).map { row[$0] } }
    }

    /// The primary key of the last row; nil if there is none.
    func last(in db: any SQLStatements) throws(SQLFailure) -> [SQLValue]? {
        let order = table.key.map { "\($0) DESC" }.joined(separator: ", ")
        return try db.rows("SELECT \(key) FROM \(table.name) ORDER BY \(order) LIMIT 1", []).first?.values(table.key.count)
    }

    func count(in db: any SQLStatements) throws(SQLFailure) -> Int {
        guard var row = try db.rows("SELECT count(*) FROM \(table.name)", []).first else { return 0 }
        return try row.next()
    }

    func insert(_ rows: [[SQLValue]], in db: any SQLStatements) throws(SQLFailure) {
        var rest = rows[...]
        while !rest.isEmpty {
            let batch = rest.prefix(rest.count < Self.rowsPerStatement ? 1 : Self.rowsPerStatement)
            let row = "(\(SQLRecords.placeholders(table.columns.count)))"
            let values = Array(repeating: row, count: batch.count).joined(separator: ", ")
            try db.execute("INSERT INTO \(table.name) (\(columns)) VALUES \(values)", batch.flatMap(\.self))
            rest = rest.dropFirst(batch.count)
        }
    }
}

extension SQLRow {
    fileprivate func values(_ count: Int) throws(SQLFailure) -> [SQLValue] {
        var (row, values) = (self, [SQLValue]())
        for _ in 0..<count { values.append(try row.next()) }
        return values
    }
}
