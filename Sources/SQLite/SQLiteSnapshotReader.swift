public import Accounts
internal import Foundation
public import Store

/// An SQLite file that is only read: neither the database nor its write-ahead log is written, and
/// other processes may have it open.
public struct SQLiteSnapshotReader: SQLDatabase {
    public let name: String

    /// Throws `Unavailable` with a sentence for the operator if there is no such file.
    public init(path: String) throws(ActionError) {
        guard FileManager.default.fileExists(atPath: path) else { throw DatabaseFile.unusable(path, "it does not exist") }
        name = path
    }

    public var dialect: SQLDialect { .sqlite }

    /// Each read has its own connection.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        let connection: SQLiteConnection
        do throws(SQLFailure) {
            connection = try SQLiteConnection(path: name, access: .readOnly, pragmas: Durability.reading)
            try connection.run("BEGIN")
        } catch { throw DatabaseFile.unusable(name, error.cause) }
        let result = try body(connection)
        do throws(SQLFailure) {
            try connection.run("COMMIT")
            try connection.close()
        } catch { throw ActionError(error) }
        return result
    }

    public func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        throw ActionError(.failed(cause: "the database \(name) is open for reading only"))
    }

    public func durabilitySettings() async throws(ActionError) -> [String: String] { [:] }
}

extension SQLDialect {
    static let sqlite = SQLDialect(
        integer: "INTEGER", bytes: "BLOB", text: "TEXT", identityColumn: "INTEGER PRIMARY KEY", tableOptions: " STRICT",
        keyedTableOptions: " STRICT, WITHOUT ROWID",
        tableNamesQuery: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        now: "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)",
        adviceForEmptyDatabase: "Move the file and its -wal, -shm and -server away; Onward then creates a new database.")
}
