internal import Base
internal import CSQLite
internal import Store

/// The settings of a connection without which an acknowledged commit could be lost or a rule of the
/// schema be broken.
enum Durability {
    /// How long a statement waits for another process's transaction (D6).
    static let busyMilliseconds: Int32 = 5000

    /// A setting of SQLite, and the value that reading it back must give (D1).
    struct Pragma: Sendable {
        let name, value, readBack: String

        func set(on connection: SQLiteConnection) throws(SQLFailure) {
            let deadline = Uptime.now + .milliseconds(Durability.busyMilliseconds)
            while true {
                do throws(SQLFailure) {
                    try connection.run("PRAGMA \(name) = \(value)")
                    break
                } catch {
                    guard waitsForOthers, connection.isBusy, Uptime.now < deadline else { throw error }
                    sqlite3_sleep(10)
                }
            }
            guard try Self.text(of: connection.run(question)) == readBack else {
                throw .failed(cause: "SQLite does not accept \(name) = \(value) here")
            }
        }

        func found(by statements: any SQLStatements) throws(SQLFailure) -> String? { try Self.text(of: statements.rows(question, [])) }

        /// SQLite itself does not wait for another connection that enters WAL mode at the same
        /// time.
        private var waitsForOthers: Bool { value == "WAL" }

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

    /// The settings of a read-only connection.
    static let reading = [
        Pragma(name: "cell_size_check", value: "ON", readBack: "1"),
        Pragma(name: "trusted_schema", value: "OFF", readBack: "0"),
    ]

    /// The settings of a connection that writes. With `synchronous = NORMAL` a power cut would lose
    /// acknowledged commits: a used code would work again.
    static let writing =
        reading + [
            Pragma(name: "journal_mode", value: "WAL", readBack: "wal"),
            Pragma(name: "synchronous", value: "FULL", readBack: "2"),
            Pragma(name: "foreign_keys", value: "ON", readBack: "1"),
            Pragma(name: "busy_timeout", value: "\(busyMilliseconds)", readBack: "\(busyMilliseconds)"),
        ]

    /// Set on every connection, for speed only. In KiB: room for the inner pages of ten million
    /// codes, and some leaves.
    static let cacheSize = Pragma(name: "cache_size", value: "-16384", readBack: "-16384")
}

extension Durability.Pragma {
    /// Leaves WAL mode, which folds the write-ahead log into the database and deletes it.
    static let rollbackJournal = Self(name: "journal_mode", value: "DELETE", readBack: "delete")
}
