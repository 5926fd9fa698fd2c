package import Accounts

/// A step to the newest schema that a database has not taken yet.
package struct PendingMigration: Sendable, Hashable {
    package let version: Int
    package let statements: [String]

    package init(version: Int, statements: [String]) { (self.version, self.statements) = (version, statements) }
}

extension Store {
    /// The migrations that `open` would run, in order, without running them. Throws the error that
    /// `open` would throw.
    package static func pendingMigrations(of database: any SQLDatabase) async throws(ActionError) -> [PendingMigration] {
        try await StoreCopy.refuseUnfinished(database)
        return try await Migration.pending(Migration.all(in: database.dialect), on: database)
    }
}

extension Migration {
    /// The migrations that `run` would run. Throws the error that `run` would throw.
    static func pending(_ migrations: [Migration], on database: any SQLDatabase) async throws(ActionError) -> [PendingMigration] {
        let (dialect, name) = (database.dialect, database.name)
        let count = try await database.read { db throws(ActionError) in
            let records = Records(db: db)
            guard try !isNew(try records.column(dialect.tableNamesQuery), of: name) else { return 0 }
            let applied: [Applied] = try records.all("SELECT version, checksum FROM migration ORDER BY version")
            try check(applied, against: migrations, of: name, in: dialect)
            return applied.count
        }
        return migrations.dropFirst(count).map { PendingMigration(version: $0.version, statements: $0.statements) }
    }
}
