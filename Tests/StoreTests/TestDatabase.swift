import Accounts
import Foundation
import PostgreSQL
import SQLite
import Store
import World

struct TestDatabase {
    private enum Place {
        case file(String)
        case server(PostgreSQLTestDatabase, isPooled: Bool)
    }

    private let place: Place

    init(in folder: URL) { place = .file(folder.appending(path: "onward.sqlite").path()) }
    init(_ database: PostgreSQLTestDatabase, isPooled: Bool) { place = .server(database, isPooled: isPooled) }

    /// Opens another connection, as another process would.
    func connect() async throws -> any SQLDatabase {
        switch place {
        case .file(let path): return try SQLiteDatabase(path: path)
        case .server(let database, false): return try await PostgreSQLDatabase(PostgreSQLDatabase.Options(patientlyAt: database.url))
        case .server(let database, true):
            var options = PostgreSQLDatabase.Options(patientlyAt: try PostgreSQLPooler.url(of: database))
            (options.usesNamedStatements, options.directURL) = (false, database.url)
            return try await eventually("PgBouncer") { try? await PostgreSQLDatabase(options) }
        }
    }

    func open() async throws -> Store { try await Store.open(try await connect()) }

    /// Runs statements without the rules of `Store`; those of the schema hold.
    func run(_ statements: String..., arguments: [SQLValue] = []) async throws {
        try await connect().write { db throws(ActionError) in
            do throws(SQLFailure) {
                for statement in statements { try db.execute(statement, arguments) }
            } catch { throw ActionError(error) }
        }
    }

    /// Runs a statement in a database that Onward may not have prepared.
    func runAsOther(_ statement: String) async throws {
        switch place {
        case .file: try await run(statement)
        case .server(let database, _): try database.psql(statement)
        }
    }

    /// A byte string of zeros, as SQL.
    func bytes(_ count: Int) -> String {
        switch place {
        case .file: "zeroblob(\(count))"
        case .server: "decode(repeat('00', \(count)), 'hex')"
        }
    }

    /// How the engine runs a query.
    func plan(of query: String, _ arguments: [SQLValue]) async throws -> String {
        let explain =
            switch place {
            case .file: "EXPLAIN QUERY PLAN"
            case .server: "EXPLAIN"
            }
        return try await connect().write { db throws(ActionError) in
            do throws(SQLFailure) { return "\(try db.rows("\(explain) \(query)", arguments))" } catch { throw ActionError(error) }
        }
    }

    /// Runs a statement without the rules of the schema, as a failing disk would.
    func damage(_ statement: String) async throws {
        switch place {
        case .file: try await run("PRAGMA ignore_check_constraints = ON", statement)
        case .server(let database, _):
            try database.psql(
                """
                DO $$ DECLARE found record; BEGIN
                    FOR found IN SELECT conrelid::regclass AS place, conname FROM pg_constraint
                        WHERE contype = 'c' AND connamespace = current_schema()::regnamespace LOOP
                        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.place, found.conname);
                    END LOOP;
                END $$; \(statement)
                """)
        }
    }

    /// The number of bytes written since the last checkpoint.
    func writtenBytes() throws -> Int {
        switch place {
        case .file(let path): try URL(filePath: path + "-wal").resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
        case .server(let database, _):
            Int(try database.psql("SELECT pg_current_wal_lsn() - '0/0'").trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
        }
    }

    /// The content of every file of the database, the log too.
    func bytesOnDisk() throws -> Data {
        switch place {
        case .file(let path):
            let files = try FileManager.default.contentsOfDirectory(
                at: URL(filePath: path).deletingLastPathComponent(), includingPropertiesForKeys: nil)
            return try files.map { try Data(contentsOf: $0) }.reduce(Data(), +)
        case .server(let database, _): return try database.bytesOnDisk()
        }
    }

    /// Every row of every table, except the reservation of row ids, which each `open` changes.
    func contents() async throws -> [String: [SQLRow]] {
        let connection = try await connect()
        let names = connection.dialect.tableNamesQuery
        return try await connection.read { db throws(ActionError) in
            do throws(SQLFailure) {
                var contents: [String: [SQLRow]] = [:]
                for var table in try db.rows(names, []) {
                    let name: String = try table.next()
                    if name == "row_id_range" { continue }
                    // No order of SQL is the same on every engine.
                    contents[name] = try db.rows("SELECT * FROM \(name)", []).sorted { "\($0)" < "\($1)" }
                }
                return contents
            } catch { throw ActionError(error) }
        }
    }
}
