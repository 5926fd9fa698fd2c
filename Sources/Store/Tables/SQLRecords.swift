public import Accounts

/// The statements of one read or one transaction, in one file for each table.
public struct SQLRecords: Records {
    let db: any SQLStatements
    /// Ends a query in `Store.claim` whose rows the transaction is going to change.
    var claiming = ""
    /// Tells other processes of a change; nil if they look by themselves.
    var announcement: String?
    /// Collects the accounts that the transaction changes; nil outside of one.
    var touched: TouchedAccounts?

    func all<Value: RowReadable>(_ sql: String, _ arguments: [any SQLConvertible] = []) throws(ActionError) -> [Value] {
        do {
            var values: [Value] = []
            for var row in try db.rows(sql, arguments.map { $0.sql }) { values.append(try Value(row: &row)) }
            return values
        } catch { throw ActionError(error) }
    }

    func first<Value: RowReadable>(_ sql: String, _ arguments: [any SQLConvertible]) throws(ActionError) -> Value? {
        do {
            guard var row = try db.rows(sql, arguments.map { $0.sql }).first else { return nil }
            return try Value(row: &row)
        } catch { throw ActionError(error) }
    }

    /// The first value that is found for one of the digests of what is looked for.
    func first<Value>(of digest: Digest, _ find: (Digest) throws(ActionError) -> Value?) throws(ActionError) -> Value? {
        for candidate in digest.candidates { if let found = try find(candidate) { return found } }
        return nil
    }

    /// The first column of each row.
    func column<Value: SQLConvertible>(_ sql: String, _ arguments: [any SQLConvertible] = []) throws(ActionError) -> [Value] {
        let cells: [SingleColumnRow<Value>] = try all(sql, arguments)
        return cells.map(\.value)
    }

    /// - Parameter sql: must select one number.
    func count(_ sql: String, _ arguments: [any SQLConvertible]) throws(ActionError) -> Int {
        let numbers: [Int] = try column(sql, arguments)
        return numbers.first ?? 0
    }

    @discardableResult
    func execute(_ sql: String, _ arguments: [any SQLConvertible] = []) throws(ActionError) -> Int {
        do { return try db.execute(sql, arguments.map { $0.sql }) } catch { throw ActionError(error) }
    }

    /// Runs a statement whose result nothing in the transaction depends on, perhaps later.
    func submit(_ sql: String, _ arguments: [any SQLConvertible] = []) throws(ActionError) {
        do { try db.submit(sql, arguments.map { $0.sql }) } catch { throw ActionError(error) }
    }

    /// Whether a statement that can change one row at most did change one.
    func changesRow(_ sql: String, _ arguments: [any SQLConvertible]) throws(ActionError) -> Bool {
        try execute(sql, arguments) == 1
    }

    /// - Parameter refusals: the refusal to throw if a unique key is taken, by the columns of the
    ///   key.
    func insert<Inserted: TableRow>(_ row: Inserted, refusing refusals: [[String]: Refusal] = [:]) throws(ActionError) {
        try refusing(refusals) { () throws(SQLFailure) in
            let values = try row.values.map { $0.sql }
            let sql = "INSERT INTO \(Inserted.table) (\(Inserted.columns)) VALUES (\(Self.placeholders(values.count)))"
            if refusals.isEmpty { try db.submit(sql, values) } else { try db.execute(sql, values) }
        }
    }

    /// `?, ?, …`, so many times.
    static func placeholders(_ count: Int) -> String { String(repeating: "?, ", count: count - 1) + "?" }

    /// Runs `work` and turns the failure of a unique key into the refusal that `refusals` has for
    /// its columns.
    func refusing(_ refusals: [[String]: Refusal], _ work: () throws(SQLFailure) -> Void) throws(ActionError) {
        do { try work() } catch {
            guard case .unique(let columns) = error, let refusal = refusals[columns] else { throw ActionError(error) }
            throw .refused(refusal)
        }
    }
}
