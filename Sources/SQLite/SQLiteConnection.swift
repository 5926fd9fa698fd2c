internal import CSQLite
internal import GRDB
internal import GRDBSQLite
internal import Queues
internal import Store

/// One open connection to the file, with the statements that were prepared on it. GRDB opens, sets up and closes it; statements go to
/// SQLite itself, because GRDB's way with them costs several times what they do (decision 14).
final class SQLiteConnection: Sendable {
    private struct Open {
        let handle: OpaquePointer
        /// By their words, which are the program's own: so they are not many.
        var statements: [Words: Prepared] = [:]
        /// Counts runs that changed something.
        var writes = 0
    }

    /// Those of a statement. The same ones are the same string, and seldom are two as long: more is not worth hashing.
    private struct Words: Hashable {
        let sql: String
        func hash(into hasher: inout Hasher) { hasher.combine(sql.utf8.count) }
    }

    private let queue: DatabaseQueue
    private let log = AtomicCounter()
    // One caller uses it at a time: the writer's belongs to the queue of its ferry, a reader's to whoever took it from the pool.
    private nonisolated(unsafe) var open: Open

    /// Without statistics of its memory SQLite takes no lock, one for the whole process, at each allocation. Possible before the first
    /// connection only; where somebody else was first, everything works as well, but slower.
    private static let forgoesStatistics = onward_sqlite_configure(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK

    init(path: String, configuration: Configuration, pragmas: [Durability.Pragma]) throws {
        _ = Self.forgoesStatistics
        queue = try DatabaseQueue(path: path, configuration: configuration)
        let handle = try queue.inDatabase { db in
            guard let handle = db.sqliteConnection else { throw SQLFailure.failed(cause: "SQLite was closed") }
            return handle
        }
        // They are there for statements that GRDB runs.
        sqlite3_set_authorizer(handle, nil, nil)
        sqlite3_commit_hook(handle, nil, nil)
        sqlite3_rollback_hook(handle, nil, nil)
        open = Open(handle: handle)
        // In place of SQLite's own hook, which would do a checkpoint then and there: `Checkpoints` do. It lives as long as the connection.
        sqlite3_wal_hook(
            handle,
            { log, _, _, pages in
                if let log { Unmanaged<AtomicCounter>.fromOpaque(log).takeUnretainedValue().set(Int64(pages)) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(log).toOpaque())
        // GRDB has set `synchronous = NORMAL` by now.
        for pragma in pragmas + Durability.pace { try pragma.set(on: self) }
    }

    deinit { finalizeStatements() }

    func close() throws {
        finalizeStatements()
        try queue.close()
    }

    private func finalizeStatements() {
        for statement in open.statements.values { statement.finalize() }
        open.statements = [:]
    }

    /// For what statements cannot say.
    var handle: OpaquePointer { open.handle }

    /// Of the WAL, in pages, after the last commit on this connection.
    var logLength: Int { Int(log.value) }

    /// How often something was changed on it: whoever sees the same number before and after changed nothing.
    var writes: Int { open.writes }

    /// Runs one statement, wherever that is.
    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue] = []) throws(SQLFailure) -> [SQLRow] {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(arguments)
        let before = sqlite3_total_changes64(open.handle)
        // Also when it fails: it may have changed something by then.
        defer { if statement.isDefinition || sqlite3_total_changes64(open.handle) != before { open.writes += 1 } }
        var rows: [SQLRow] = []
        while let row = try statement.next() { rows.append(row) }
        return rows
    }

    private func prepared(_ sql: String) throws(SQLFailure) -> Prepared {
        let words = Words(sql: sql)
        if let statement = open.statements[words] { return statement }
        let statement = try Prepared(sql, on: open.handle)
        open.statements[words] = statement
        return statement
    }
}

/// After some failures (disk full, I/O) SQLite ends the transaction by itself. What its body asks for afterwards must not become
/// durable bit by bit, so nothing is run outside of a transaction.
extension SQLiteConnection: SQLStatements {
    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        guard sqlite3_get_autocommit(open.handle) == 0 else { throw .failed(cause: "SQLite has ended the transaction") }
        return try run(sql, arguments)
    }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        _ = try rows(sql, arguments)
        return Int(sqlite3_changes64(open.handle))
    }
}
