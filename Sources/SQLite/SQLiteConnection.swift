package import Accounts
internal import Foundation
internal import GRDB
package import Store

/// One SQLite file: some read-only connections, for reads that run where the caller runs, and one `Writer`.
package struct SQLiteConnection: SQLConnection {
    /// Any of them may be asked; two that ask the same one take turns. GRDB's own pool costs more than an indexed read.
    private let readers: [DatabaseQueue]
    private let writer: Writer

    /// Opens the file, and makes it when there is none. Throws `Unavailable` with a sentence for the operator when it cannot be
    /// written, is no database, or will not keep what it is given (D1, D7).
    /// - Parameters:
    ///   - path: the folder must be there.
    ///   - maxWaiting: transactions that may wait for the disk; one more is `Unavailable`.
    ///   - observe: told of every commit; default: nobody listens.
    package init(
        path: String, maxWaiting: Int = 1024, observe: @escaping @Sendable (Commit) -> Void = { _ in }
    ) throws(ActionError) {
        try DatabaseFile.prepare(path)
        do {
            // The writer first: it makes the file and its WAL, which readers need.
            writer = try Writer(path: path, maxWaiting: maxWaiting, observe: observe)
            readers = try (0...ProcessInfo.processInfo.activeProcessorCount).map { _ in
                try DatabaseQueue(path: path, configuration: .reading)
            }
        } catch { throw DatabaseFile.unusable(path, SQLFailure(error).cause) }
    }

    /// How many transactions wait for the disk.
    package var waiting: Int { get async { await writer.waiting.count } }

    package var dialect: SQLDialect {
        SQLDialect(
            integer: "INTEGER", bytes: "BLOB", counter: "INTEGER PRIMARY KEY", table: " STRICT", keyedTable: " STRICT, WITHOUT ROWID",
            tableNames: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    }

    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try readHere(body)
    }

    package func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await writer.run(body).get()
    }

    package func findings() async throws(ActionError) -> [String: String] {
        try await write { db throws(ActionError) in
            do throws(SQLFailure) { return try Durability.findings(db) } catch { throw ActionError(error) }
        }
    }

    /// Ends what is under way and gives the file back; what is asked later is `Unavailable`.
    package func close() async throws(ActionError) {
        do { for reader in readers { try reader.close() } } catch { throw ActionError(SQLFailure(error)) }
        // Last, because only a connection that writes can take the WAL back into the file.
        try await writer.close()
    }

    /// Not `async`, so that the compiler takes GRDB's synchronous read: on the caller's thread, without a hop.
    private func readHere<T>(_ body: (any SQLStatements) throws(ActionError) -> T) throws(ActionError) -> T {
        let reader = readers[.random(in: readers.indices)]
        do {
            return try reader.unsafeRead { db in
                let statements = Statements(db: db)
                try statements.execute("BEGIN", [])
                let result = Result { () throws(ActionError) in try body(statements) }
                try statements.execute("ROLLBACK", [])
                return try result.get()
            }
        } catch let error as ActionError { throw error } catch { throw ActionError(SQLFailure(error)) }
    }
}

extension Configuration {
    /// SQLite itself refuses writes on such a connection.
    fileprivate static var reading: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Durability.busySeconds)
        // `readHere` begins and ends its transactions itself; GRDB's own ways cost more than the read that they guard.
        configuration.allowsUnsafeTransactions = true
        return configuration
    }
}
