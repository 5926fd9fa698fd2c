import Accounts
import PostgreSQL
import Store

/// A number in a table, and the database that it is in.
struct Counter {
    let database: PostgreSQLDatabase

    /// - Parameter options: of a database that has only Onward's schema yet, or this counter.
    init(_ options: PostgreSQLDatabase.Options) async throws {
        database = try await PostgreSQLDatabase(options)
        _ = try await Store.open(database)
    }

    static let tables =
        "CREATE TABLE IF NOT EXISTS counter (id BIGINT PRIMARY KEY, value BIGINT NOT NULL); INSERT INTO counter VALUES (1, 0); CREATE TABLE tally (id BIGINT GENERATED ALWAYS AS IDENTITY, mark BIGINT NOT NULL)"

    /// Adds one by reading the number and writing the next, as two statements.
    @discardableResult func add() async throws(ActionError) -> Int {
        try await database.write { db throws(ActionError) in
            do throws(SQLFailure) {
                guard var row = try db.rows("SELECT value FROM counter WHERE id = 1", []).first else { return -1 }
                let value: Int = try row.next()
                try db.submit("UPDATE counter SET value = ? WHERE id = 1", [.integer(Int64(value + 1))])
                return value + 1
            } catch { throw ActionError(error) }
        }
    }

    /// Adds one if the number is `value`.
    func add(ifIs value: Int) async throws(ActionError) -> Bool {
        try await database.write { db throws(ActionError) in
            do throws(SQLFailure) {
                return try db.execute("UPDATE counter SET value = value + 1 WHERE id = 1 AND value = ?", [.integer(Int64(value))]) == 1
            } catch { throw ActionError(error) }
        }
    }

    /// Adds a row without a look at others, so that nothing but the engine keeps it from being
    /// added twice.
    func tally(_ mark: Int64 = 1) async throws(ActionError) {
        try await database.write { db throws(ActionError) in
            do throws(SQLFailure) { try db.submit("INSERT INTO tally (mark) VALUES (?)", [.integer(mark)]) } catch {
                throw ActionError(error)
            }
        }
    }

    /// The number of a row, which may be a little old; nil if there is no such row.
    func preview(_ id: Int = 1) async throws(ActionError) -> Int? {
        try await database.preview { db throws(ActionError) in
            do throws(SQLFailure) {
                guard var row = try db.rows("SELECT value FROM counter WHERE id = ?", [.integer(Int64(id))]).first else { return nil }
                return try row.next()
            } catch { throw ActionError(error) }
        }
    }

    var value: Int {
        get async throws(ActionError) {
            try await database.read { db throws(ActionError) in
                do throws(SQLFailure) {
                    guard var row = try db.rows("SELECT value FROM counter WHERE id = 1", []).first else { return -1 }
                    return try row.next()
                } catch { throw ActionError(error) }
            }
        }
    }
}
