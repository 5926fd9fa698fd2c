internal import Accounts
internal import Cryptography

/// One step from one version of the schema to the next. After a release a migration never changes;
/// new ones are added after it.
struct Migration: Sendable {
    /// Counts from 1.
    let version: Int
    let statements: [String]
    /// Identifies the statements, so that a migration that changed after it ran is noticed: the
    /// first eight bytes of their SHA-256.
    let checksum: Int

    init(version: Int, statements: [String]) {
        (self.version, self.statements) = (version, statements)
        checksum = HashFunction.sha256.hash(Array(statements.joined(separator: ";").utf8)).prefix(8).reduce(0) { $0 << 8 | Int($1) }
    }

    /// All migrations of this version of Onward, in order.
    static func all(in dialect: SQLDialect) -> [Migration] {
        [
            Migration(version: 1, statements: initialSchema(in: dialect)),
            Migration(version: 2, statements: rowIDRanges(in: dialect)),
            Migration(version: 3, statements: ownership(in: dialect)),
            Migration(version: 4, statements: identities(in: dialect)),
            Migration(version: 5, statements: linkedProviders(in: dialect)),
            Migration(version: 6, statements: accountEvents(in: dialect)),
            Migration(version: 7, statements: invitations(in: dialect)),
            Migration(version: 8, statements: support(in: dialect)),
            Migration(version: 9, statements: overview(in: dialect)),
            Migration(version: 10, statements: upstreamTries(in: dialect)),
        ]
    }

    /// Brings a database to the newest schema. Each migration and its record are one transaction,
    /// so an interrupted one leaves nothing (D8). Throws `Unavailable` with a sentence for the
    /// operator for the database of another program, of a newer Onward or of a development version
    /// (D7).
    static func run(_ migrations: [Migration], on database: any SQLDatabase) async throws(ActionError) {
        let (dialect, name) = (database.dialect, database.name)
        guard try await version(of: database, known: migrations) < migrations.count else { return }
        for migration in migrations {
            try await database.writeAlone { db throws(ActionError) in
                let records = SQLRecords(db: db)
                try createTable(records, in: dialect, of: name)
                let applied: [Applied] = try records.all("SELECT version, checksum FROM migration ORDER BY version")
                try check(applied, against: migrations, of: name, in: dialect)
                guard applied.count < migration.version else { return }
                for statement in migration.statements { try records.execute(statement) }
                try records.execute(
                    "INSERT INTO migration (version, checksum) VALUES (?, ?)", [migration.version, migration.checksum])
            }
        }
    }

    /// The version of a schema, which stays as it is. Throws as `run` does.
    static func version(of database: any SQLDatabase, known: [Migration]) async throws(ActionError) -> Int {
        let (dialect, name) = (database.dialect, database.name)
        return try await database.read { db throws(ActionError) in
            let records = SQLRecords(db: db)
            guard try !isNew(try records.column(dialect.tableNamesQuery), of: name) else { return 0 }
            let applied: [Applied] = try records.all("SELECT version, checksum FROM migration ORDER BY version")
            try check(applied, against: known, of: name, in: dialect)
            return applied.count
        }
    }

    /// The record of a migration that ran.
    struct Applied: RowReadable {
        let version, checksum: Int
        init(row: inout SQLRow) throws(SQLFailure) { (version, checksum) = (try row.next(), try row.next()) }
    }

    private static func createTable(_ records: SQLRecords, in dialect: SQLDialect, of name: String) throws(ActionError) {
        let tables: [String] = try records.column(dialect.tableNamesQuery)
        guard try isNew(tables, of: name) else { return }
        try records.execute(
            "CREATE TABLE migration (version \(dialect.integer) PRIMARY KEY, checksum \(dialect.integer) NOT NULL)\(dialect.tableOptions)")
        for table in dialect.ownTables { try records.execute(table) }
    }

    /// Whether the database has no tables yet. Throws if it has only those of another program.
    static func isNew(_ tables: [String], of name: String) throws(ActionError) -> Bool {
        guard !tables.contains("migration") else { return false }
        guard tables.isEmpty else {
            throw unusable("The database \(name) belongs to another program: it has tables, but none of Onward's. Name another one.")
        }
        return true
    }

    static func check(
        _ applied: [Applied], against known: [Migration], of name: String, in dialect: SQLDialect
    ) throws(ActionError) {
        // The first migration has not changed since the first release.
        if let first = applied.first, first.checksum != known.first?.checksum {
            throw unusable(
                """
                The database \(name) was made by a development version of Onward from before 0.1.0, which this version cannot read. \
                \(dialect.adviceForEmptyDatabase)
                """)
        }
        guard applied.count <= known.count else {
            throw unusable(
                "The database \(name) has schema version \(applied.count), this Onward knows up to \(known.count): run a newer Onward.")
        }
        for (applied, known) in zip(applied, known) where (applied.version, applied.checksum) != (known.version, known.checksum) {
            throw unusable(
                "The database \(name) was made by another Onward: its migration \(applied.version) differs from this version's.")
        }
    }

    static func unusable(_ cause: String) -> ActionError { .unavailable(Unavailable(.store, cause: cause)) }
}
