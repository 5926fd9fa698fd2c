import Accounts
import Foundation
import SQLite
import Store

struct TestDatabase {
    let engine: Engine
    let folder: URL

    /// Opens another connection, as another process would.
    func connect() throws -> any SQLDatabase {
        switch engine {
        case .sqlite: try SQLiteDatabase(path: folder.appending(path: "onward.sqlite").path())
        }
    }

    func open() async throws -> Store { try await Store.open(connect()) }

    /// Runs statements without the rules of `Store`; those of the schema hold.
    func run(_ statements: String..., arguments: [SQLValue] = []) async throws {
        try await connect().write { db throws(ActionError) in
            do throws(SQLFailure) {
                for statement in statements { try db.execute(statement, arguments) }
            } catch { throw ActionError(error) }
        }
    }

    /// Runs a statement without the rules of the schema, as a failing disk would.
    func damage(_ statement: String) async throws {
        switch engine {
        case .sqlite: try await run("PRAGMA ignore_check_constraints = ON", statement)
        }
    }

    /// The number of bytes written since the last checkpoint.
    func writtenBytes() throws -> Int {
        switch engine {
        case .sqlite: try folder.appending(path: "onward.sqlite-wal").resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        }
    }

    /// Every row of every table.
    func contents() async throws -> [String: [SQLRow]] {
        let connection = try connect()
        let names = connection.dialect.tableNamesQuery
        return try await connection.read { db throws(ActionError) in
            do throws(SQLFailure) {
                var contents: [String: [SQLRow]] = [:]
                for var table in try db.rows(names, []) {
                    let name: String = try table.next()
                    contents[name] = try db.rows("SELECT * FROM \(name) ORDER BY 1", [])
                }
                return contents
            } catch { throw ActionError(error) }
        }
    }
}
