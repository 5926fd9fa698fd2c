internal import Accounts

/// A step from one schema to the next. Once released it never changes: a new one is added after it.
package struct Migration: Sendable {
    /// Counts from 1.
    package let version: Int
    package let statements: [String]

    /// All of them, in order, in the words of an engine.
    package static func all(in dialect: SQLDialect) -> [Migration] {
        [
            Migration(version: 1, statements: firstSchema(in: dialect)),
            Migration(version: 2, statements: secondSchema(in: dialect)),
            Migration(version: 3, statements: thirdSchema(in: dialect)),
            Migration(version: 4, statements: fourthSchema(in: dialect)),
            Migration(version: 5, statements: fifthSchema(in: dialect)),
            Migration(version: 6, statements: sixthSchema()),
        ]
    }

    /// Tells a migration that was changed after it ran. Source: FNV-1a, 64 bits.
    package var checksum: Int {
        let hash = statements.joined(separator: ";").utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return Int(truncatingIfNeeded: hash)
    }

    /// Brings a database to the newest schema; each migration and its record are one transaction, so that an interrupted
    /// one leaves nothing (D8). Refuses a database that is not Onward's, or is a newer or other Onward's (D7).
    static func run(on connection: any SQLDatabase) async throws(ActionError) {
        let migrations = all(in: connection.dialect)
        for migration in migrations {
            try await connection.write { db throws(ActionError) in
                let records = Records(db: db)
                try claim(records, in: connection.dialect)
                let applied: [Applied] = try records.all("SELECT version, checksum FROM migration ORDER BY version")
                try check(applied, against: migrations)
                guard applied.count < migration.version else { return }
                for statement in migration.statements { try records.execute(statement) }
                try records.execute(
                    "INSERT INTO migration (version, checksum) VALUES (?, ?)", [migration.version, migration.checksum])
            }
        }
    }

    private struct Applied: Readable {
        let version, checksum: Int
        init(row: inout SQLRow) throws(SQLFailure) { (version, checksum) = (try row.next(), try row.next()) }
    }

    private static func claim(_ records: Records, in dialect: SQLDialect) throws(ActionError) {
        let tables: [String] = try records.column(dialect.tableNames)
        guard !tables.contains("migration") else { return }
        guard tables.isEmpty else { throw unusable("This is another program's database: it has tables, but none of Onward's.") }
        try records.execute(
            "CREATE TABLE migration (version \(dialect.integer) PRIMARY KEY, checksum \(dialect.integer) NOT NULL)\(dialect.table)")
    }

    private static func check(_ applied: [Applied], against known: [Migration]) throws(ActionError) {
        guard applied.count <= known.count else {
            throw unusable("The database has schema \(applied.count), this Onward knows up to \(known.count): run a newer Onward.")
        }
        for (applied, known) in zip(applied, known) where (applied.version, applied.checksum) != (known.version, known.checksum) {
            throw unusable("The database was made by another Onward: its migration \(applied.version) is not ours.")
        }
    }

    private static func unusable(_ why: String) -> ActionError { .unavailable(Unavailable(.store, cause: why)) }
}
