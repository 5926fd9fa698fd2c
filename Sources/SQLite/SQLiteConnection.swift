package import Accounts
internal import Foundation
internal import GRDB
package import Store

/// One SQLite file: a crew of read-only connections for reads, which run where the caller runs, and one `Writer`.
package struct SQLiteConnection: SQLConnection {
    private let readers: DatabasePool
    private let writer: Writer

    /// Opens the file, and makes it when there is none. Throws `Unavailable` with a sentence for the operator when it cannot be
    /// written, is no database, or will not keep what it is given (D1, D7).
    /// - Parameters:
    ///   - path: the folder must be there.
    ///   - maxWaiting: transactions that may wait for the disk; one more is `Unavailable`.
    package init(path: String, maxWaiting: Int = 1024) throws(ActionError) {
        try DatabaseFile.prepare(path)
        do {
            // The writer first: it makes the file and its WAL, which readers need.
            writer = try Writer(path: path, maxWaiting: maxWaiting)
            readers = try DatabasePool(path: path, configuration: .reading)
        } catch { throw DatabaseFile.unusable(path, SQLFailure(error).cause) }
    }

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
        try await writer.close()
        do { try readers.close() } catch { throw ActionError(SQLFailure(error)) }
    }

    /// Not `async`, so that the compiler takes GRDB's synchronous `read`: on the caller's thread, without a hop.
    private func readHere<T>(_ body: (any SQLStatements) throws(ActionError) -> T) throws(ActionError) -> T {
        do {
            return try readers.read { db in try body(Statements(db: db)) }
        } catch let error as ActionError { throw error } catch { throw ActionError(SQLFailure(error)) }
    }
}

extension Configuration {
    /// SQLite itself refuses writes on such a connection. As many as there are cores can read at once.
    static var reading: Configuration {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(Durability.busySeconds)
        configuration.maximumReaderCount = ProcessInfo.processInfo.activeProcessorCount + 1
        return configuration
    }
}
