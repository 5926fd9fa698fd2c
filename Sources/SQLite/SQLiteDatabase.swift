package import Accounts
internal import Queues
package import Store

/// One SQLite file: read-only connections, for reads that run where the caller runs, and one `Writer`.
package struct SQLiteDatabase: SQLDatabase {
    private let file: DatabaseFile
    private let readers = Pool<SQLiteConnection>()
    private let writer: Writer

    /// Opens the file, and makes it when there is none. Throws `Unavailable` with a sentence for the operator when it cannot be
    /// written, is no database, or will not keep what it is given (D1, D7).
    /// - Parameters:
    ///   - path: the folder must be there.
    ///   - maxWaiting: transactions that may wait for the disk; one more is `Unavailable`.
    ///   - observe: told of every commit; default: nobody listens.
    ///   - onLost: called once, when a sync of the database has failed: nothing can be written any more, and what is read may be old. The
    ///     process must end; the next one finds everything (D4).
    package init(
        path: String, maxWaiting: Int = 1024, observe: @escaping @Sendable (Commit) -> Void = { _ in },
        onLost: @escaping @Sendable () -> Void = {}
    ) throws(ActionError) {
        file = try DatabaseFile(preparing: path)
        do throws(SQLFailure) {
            // The writer first: it creates the write-ahead log, which readers need.
            writer = try Writer(file: file, maxWaiting: maxWaiting, observe: observe, onLost: onLost)
            readers.giveBack(try Self.reader(of: file))
        } catch { throw DatabaseFile.unusable(path, error.cause) }
    }

    /// How many transactions wait for the disk.
    package var waitingCount: Int { writer.waitingCount }

    package var name: String { file.path }

    package var dialect: SQLDialect {
        SQLDialect(
            integer: "INTEGER", bytes: "BLOB", identityColumn: "INTEGER PRIMARY KEY", tableOptions: " STRICT",
            keyedTableOptions: " STRICT, WITHOUT ROWID",
            tableNamesQuery: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    }

    /// Runs where the caller runs, without a hop: an indexed read takes less time than one.
    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        let reader: SQLiteConnection
        do throws(SQLFailure) {
            reader = try takeReader()
            try reader.run("BEGIN")
        } catch { throw ActionError(error) }
        do throws(ActionError) {
            let answer = try body(reader)
            try end(reader)
            return answer
        } catch {
            // After a failure nothing is trusted that it has in memory (D4, D10).
            if case .unavailable = error { throw error }
            try end(reader)
            throw error
        }
    }

    private func end(_ reader: SQLiteConnection) throws(ActionError) {
        do throws(SQLFailure) { try reader.run("COMMIT") } catch { throw ActionError(error) }
        readers.giveBack(reader)
    }

    package func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await writer.run(body).get()
    }

    package func findings() async throws(ActionError) -> [String: String] {
        try await write { db throws(ActionError) in
            var findings: [String: String] = [:]
            do throws(SQLFailure) {
                for pragma in Durability.writing { findings[pragma.name] = try pragma.found(by: db) }
            } catch { throw ActionError(error) }
            return findings
        }
    }

    /// Ends what is under way and gives the file back; what is asked later is `Unavailable`.
    package func close() async throws(ActionError) {
        readers.close()
        // Last, because only a connection that writes can take the WAL back into the file.
        try await writer.close()
    }

    private func takeReader() throws(SQLFailure) -> SQLiteConnection {
        let idle: SQLiteConnection?
        do { idle = try readers.take() } catch { throw .failed(cause: Writer.closed) }
        if let idle { return idle }
        return try Self.reader(of: file)
    }

    private static func reader(of file: DatabaseFile) throws(SQLFailure) -> SQLiteConnection {
        try SQLiteConnection(path: file.path, access: .readOnly, pragmas: Durability.reading)
    }
}
