internal import GRDB
internal import Store

/// The settings without which an acknowledged commit could be lost, or a rule of the schema be broken.
enum Durability {
    /// How long one process waits for another's transaction (D6).
    static let busySeconds = 5.0

    /// What each pragma is set to, and what it must say when it is read back (D1). With `synchronous = NORMAL`, GRDB's own choice,
    /// a power cut loses acknowledged commits: a used code would work again.
    private static let settings = [
        (pragma: "journal_mode", value: "WAL", readBack: "wal"),
        (pragma: "synchronous", value: "FULL", readBack: "2"),
        (pragma: "foreign_keys", value: "ON", readBack: "1"),
        (pragma: "busy_timeout", value: "5000", readBack: "5000"),
        (pragma: "cell_size_check", value: "ON", readBack: "1"),
        (pragma: "trusted_schema", value: "OFF", readBack: "0"),
    ]

    static func apply(to db: Database) throws {
        for setting in settings { try db.execute(sql: "PRAGMA \(setting.pragma) = \(setting.value)") }
        let found = try findings(Statements(db: db))
        for setting in settings where found[setting.pragma] != setting.readBack {
            throw SQLFailure.failed(cause: "SQLite does not take \(setting.pragma) = \(setting.value) here")
        }
    }

    static func findings(_ statements: any SQLStatements) throws(SQLFailure) -> [String: String] {
        var findings: [String: String] = [:]
        for pragma in settings.map(\.pragma) {
            guard var row = try statements.rows("PRAGMA \(pragma)", []).first else { continue }
            let value: SQLValue = try row.next()
            findings[pragma] =
                switch value {
                case .integer(let number): String(number)
                case .text(let text): text
                case .blob, .null: nil
                }
        }
        return findings
    }
}
