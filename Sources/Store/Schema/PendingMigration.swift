public import Accounts

/// A step to the newest schema that a database has not taken yet.
public struct PendingMigration: Sendable, Hashable {
    public let version: Int
    public let statements: [String]

    public init(version: Int, statements: [String]) { (self.version, self.statements) = (version, statements) }
}

extension Store {
    /// The migrations that `open` would run, in order, without running them. Throws the error that
    /// `open` would throw.
    public static func pendingMigrations(of database: any SQLDatabase) async throws(ActionError) -> [PendingMigration] {
        try await StoreCopy.refuseUnfinished(database)
        return try await Migration.pending(Migration.all(in: database.dialect), on: database)
    }
}

extension Migration {
    /// The migrations that `run` would run. Throws the error that `run` would throw.
    static func pending(_ migrations: [Migration], on database: any SQLDatabase) async throws(ActionError) -> [PendingMigration] {
        let count = try await version(of: database, known: migrations)
        return migrations.dropFirst(count).map { PendingMigration(version: $0.version, statements: $0.statements) }
    }
}
