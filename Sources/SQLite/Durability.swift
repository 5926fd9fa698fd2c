internal import Store

/// The settings without which an acknowledged commit could be lost, or a rule of the schema be broken.
enum Durability {
    /// How long one process waits for another's transaction (D6).
    static let busySeconds = 5.0

    /// A setting of SQLite, and what it must say when it is read back (D1).
    struct Pragma: Sendable {
        let name, value, readBack: String

        func set(on connection: SQLiteConnection) throws(SQLFailure) {
            try connection.run("PRAGMA \(name) = \(value)")
            guard try Self.text(of: connection.run(question)) == readBack else {
                throw .failed(cause: "SQLite does not take \(name) = \(value) here")
            }
        }

        func found(by statements: any SQLStatements) throws(SQLFailure) -> String? { try Self.text(of: statements.rows(question, [])) }

        private var question: String { "PRAGMA \(name)" }

        private static func text(of rows: [SQLRow]) throws(SQLFailure) -> String? {
            guard var row = rows.first else { return nil }
            switch try row.next() as SQLValue {
            case .integer(let number): return String(number)
            case .text(let text): return text
            case .blob, .null: return nil
            }
        }
    }

    /// Of a connection that only reads.
    static let reading = [
        Pragma(name: "cell_size_check", value: "ON", readBack: "1"),
        Pragma(name: "trusted_schema", value: "OFF", readBack: "0"),
    ]

    /// Of the one that writes. With `synchronous = NORMAL`, GRDB's own choice, a power cut loses acknowledged commits: a used code would
    /// work again.
    static let writing =
        reading + [
            Pragma(name: "journal_mode", value: "WAL", readBack: "wal"),
            Pragma(name: "synchronous", value: "FULL", readBack: "2"),
            Pragma(name: "foreign_keys", value: "ON", readBack: "1"),
            Pragma(name: "busy_timeout", value: "5000", readBack: "5000"),
        ]

    /// Of both; nothing but speed hangs on it. In KiB: the inner pages of ten million codes, and some leaves.
    static let pace = [Pragma(name: "cache_size", value: "-16384", readBack: "-16384")]
}
