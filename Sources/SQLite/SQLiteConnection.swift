internal import Base
internal import CSQLite
internal import Network
internal import Store

/// One open connection to a database file, with a cache of the statements that were prepared on it.
final class SQLiteConnection: Sendable {
    enum Access {
        /// SQLite refuses every write.
        case readOnly
        case readWrite

        fileprivate var flags: Int32 {
            switch self {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            }
        }
    }

    private struct State {
        /// Nil once the connection is closed.
        var handle: OpaquePointer?
        /// Prepared statements by their SQL, which is constant in the program, so there are few.
        var statements: [StatementKey: PreparedStatement] = [:]
        var changeCount = 0
        var hasSyncFailed = false
    }

    // One caller at a time: the writer's connection belongs to the queue of its `BatchQueue`, the
    // checkpoint connection to the one checkpoint that is under way, a reader to the caller that
    // took it from the pool.
    private nonisolated(unsafe) var state: State
    private let walPageCount = AtomicCounter()

    /// Memory statistics take a process-wide lock at each allocation, so they are switched off.
    /// Possible only before the first connection of the process is opened; if that fails, SQLite
    /// works as well but slower.
    private static let isConfigured = onward_sqlite3_config_int(SQLITE_CONFIG_MEMSTATUS, 0) == SQLITE_OK

    /// Opens an existing file.
    /// - Parameters:
    ///   - busyMilliseconds: how long a statement waits for another connection's lock.
    ///   - pragmas: set, and read back, in this order.
    ///   - readsSchema: false leaves out the size of the cache, for which SQLite reads the schema;
    ///     then opening takes no lock.
    init(
        path: String, access: Access, busyMilliseconds: Int32 = Durability.busyMilliseconds, pragmas: [Durability.Pragma] = [],
        readsSchema: Bool = true
    ) throws(SQLFailure) {
        _ = Self.isConfigured
        var opened: OpaquePointer?
        guard sqlite3_open_v2(path, &opened, access.flags | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK, let handle = opened else {
            let failure = SQLFailure(lastOf: opened)
            sqlite3_close(opened)
            throw failure
        }
        state = State(handle: handle)
        let codes = [
            sqlite3_extended_result_codes(handle, 1), sqlite3_busy_timeout(handle, busyMilliseconds),
            // Only a process that may trust the number of copied pages runs checkpoints
            // (`Checkpointer`).
            onward_sqlite3_db_config_bool(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1),
            // A misspelt column in double quotes would be taken for a string.
            onward_sqlite3_db_config_bool(handle, SQLITE_DBCONFIG_DQS_DML, 0),
            onward_sqlite3_db_config_bool(handle, SQLITE_DBCONFIG_DQS_DDL, 0),
        ]
        guard codes.allSatisfy({ $0 == SQLITE_OK }) else { throw .failed(cause: "SQLite does not accept the settings of a connection") }
        // Replaces SQLite's own hook, which runs a checkpoint inside a commit. `walPageCount` lives
        // as long as the connection.
        sqlite3_wal_hook(
            handle,
            { counter, _, _, pages in
                if let counter { Unmanaged<AtomicCounter>.fromOpaque(counter).takeUnretainedValue().set(Int64(pages)) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(walPageCount).toOpaque())
        for pragma in pragmas + (readsSchema ? [Durability.cacheSize] : []) { try pragma.set(on: self) }
    }

    deinit {
        finalizeStatements()
        sqlite3_close_v2(state.handle)
    }

    /// - Parameter checkpoints: whether the last connection to the file copies the write-ahead log
    ///   into the database and deletes it.
    func close(checkpoints: Bool = false) throws(SQLFailure) {
        finalizeStatements()
        if checkpoints, let handle = state.handle { onward_sqlite3_db_config_bool(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0) }
        guard sqlite3_close(state.handle) == SQLITE_OK else { throw SQLFailure(lastOf: state.handle) }
        state.handle = nil
    }

    private func finalizeStatements() {
        for statement in state.statements.values { statement.finalize() }
        state.statements = [:]
    }

    /// Whether the last call failed because of another connection's lock.
    var isBusy: Bool { [SQLITE_BUSY, SQLITE_LOCKED].contains(sqlite3_errcode(state.handle) & 0xff) }

    /// SQLite's handle, for calls that are not statements; nil once the connection is closed.
    var handle: OpaquePointer? { state.handle }

    /// The number of pages in the write-ahead log after the last commit on this connection.
    var walLength: Int { Int(walPageCount.value) }

    /// The number of statements that changed something. If it is the same before and after a block
    /// of statements, the block changed nothing.
    var changeCount: Int { state.changeCount }

    /// Whether a statement of this connection failed because a sync did. SQLite may then roll back
    /// by itself, and report another error for the next statement.
    var hasSyncFailed: Bool { state.hasSyncFailed }

    /// Runs one statement, inside or outside of a transaction.
    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue] = []) throws(SQLFailure) -> [SQLRow] {
        let statement = try prepared(sql)
        defer { statement.reset() }
        let before = sqlite3_total_changes64(state.handle)
        // Counted even if the statement fails, because it may have changed rows before that.
        defer { if statement.changesSchema || sqlite3_total_changes64(state.handle) != before { state.changeCount += 1 } }
        do throws(SQLFailure) {
            try statement.bind(arguments)
            var rows: [SQLRow] = []
            while let row = try statement.next() { rows.append(row) }
            return rows
        } catch {
            if Self.syncErrors.contains(sqlite3_extended_errcode(state.handle)) { state.hasSyncFailed = true }
            throw error
        }
    }

    private static let syncErrors = [onward_sqlite_ioerr_fsync, onward_sqlite_ioerr_dir_fsync]

    private func prepared(_ sql: String) throws(SQLFailure) -> PreparedStatement {
        let key = StatementKey(sql: sql)
        if let statement = state.statements[key] { return statement }
        guard let handle = state.handle else { throw .failed(cause: "the connection is closed") }
        let statement = try PreparedStatement(sql, on: handle)
        state.statements[key] = statement
        return statement
    }
}

/// Statements inside a transaction. After some failures (disk full, I/O error) SQLite rolls the
/// transaction back by itself; later statements of the same body would then be committed one by
/// one, so they are refused.
extension SQLiteConnection: SQLStatements {
    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        guard sqlite3_get_autocommit(state.handle) == 0 else { throw .failed(cause: "SQLite has ended the transaction") }
        return try run(sql, arguments)
    }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        _ = try rows(sql, arguments)
        return Int(sqlite3_changes64(state.handle))
    }
}
