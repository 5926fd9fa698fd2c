import Accounts
import CSQLite
import Foundation
import SQLite
import Store
import Testing

@Suite struct `A SQLite database` {
    /// D1, D6, read back through the same connection that commits.
    @Test func `is opened with the settings that durability depends on`() async throws {
        try await withPath { path in
            let findings = try await SQLiteDatabase(path: path).durabilitySettings()
            #expect(
                findings == [
                    "journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "5000", "cell_size_check": "1",
                    "trusted_schema": "0",
                ])
        }
    }

    @Test func `is readable by its owner only, with its write-ahead log and shared memory`() async throws {
        try await withPath { path in
            let connection = try SQLiteDatabase(path: path)
            try await connection.run("CREATE TABLE t (x INTEGER) STRICT")
            for file in [path, path + "-wal", path + "-shm"] {
                #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
            }
        }
    }

    /// D7: a file that is read-only, foreign or of a newer schema is refused at start with a
    /// sentence.
    @Test func `is refused with a sentence if the file is not a database`() async throws {
        try await withPath { path in
            try Data(repeating: 7, count: 8192).write(to: URL(filePath: path))
            #expect(refusal(of: path)?.contains("file is not a database") == true)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data(repeating: 7, count: 8192))
        }
    }

    /// D7: a file that is read-only, foreign or of a newer schema is refused at start with a
    /// sentence.
    @Test func `is refused with a sentence if it is a folder, or its folder is missing`() async throws {
        try await withPath { path in
            #expect(refusal(of: path + "/missing/onward.sqlite")?.contains("its folder does not exist") == true)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            #expect(refusal(of: path)?.contains("it is a folder") == true)
        }
    }

    /// D7: a file that is read-only, foreign or of a newer schema is refused at start with a
    /// sentence.
    @Test(.enabled(if: geteuid() != 0, "nothing is read-only for root"))
    func `is refused with a sentence if it is read-only`() async throws {
        try await withPath { path in
            try await SQLiteDatabase(path: path).close()
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
            #expect(refusal(of: path)?.contains("it cannot be written") == true)
        }
    }

    @Test func `that cannot be copied is named, with the copy`() async throws {
        try await withPath { path in
            let cause = try await cause { try SQLiteFile.copy(path, to: path + ".copy") }
            #expect(cause?.hasPrefix("\(path) cannot be copied to \(path).copy: SQLite 14: ") == true)
        }
    }

    /// D9: A database that another connection locks whole, for example while it copies a long
    /// write-ahead log, is in use.
    @Test(arguments: [["PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"], []])
    func `is in use while another connection has it open, even if it cannot be read`(locking: [String]) async throws {
        try await withPath { path in
            try await SQLiteDatabase(path: path).close()
            #expect(!SQLiteFile.isInUse(path))
            var other: OpaquePointer?
            #expect(sqlite3_open(path, &other) == SQLITE_OK)
            for sql in locking + ["SELECT count(*) FROM sqlite_schema"] { #expect(sqlite3_exec(other, sql, nil, nil, nil) == SQLITE_OK) }
            #expect(SQLiteFile.isInUse(path))
            #expect(sqlite3_close(other) == SQLITE_OK)
            #expect(!SQLiteFile.isInUse(path))
        }
    }

    @Test func `refuses every call after it was closed, and leaves no write-ahead log`() async throws {
        try await withPath { path in
            let connection = try SQLiteDatabase(path: path)
            try await connection.run("CREATE TABLE t (x INTEGER) STRICT")
            try await connection.close()
            #expect(try await cause { try await connection.run("DELETE FROM t") } == "the database is closed")
            #expect(try await cause { try await connection.read { _ throws(ActionError) in } } != nil)
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    /// An indexed read is quicker than a change of threads. The main actor has a thread that can be
    /// compared.
    @MainActor @Test func `is read on the caller's thread`() async throws {
        try await withPath { path in
            let connection = try SQLiteDatabase(path: path)
            let here = pthread_self()
            #expect(try await connection.read { _ throws(ActionError) in pthread_self() == here })
        }
    }

    private func refusal(of path: String) -> String? {
        do {
            _ = try SQLiteDatabase(path: path)
            return nil
        } catch { return error.cause }
    }
}

@Suite struct `A SQLite statement` {
    @Test func `that breaks a unique constraint fails with its columns, and without their values`() async throws {
        try await withPath { path in
            let connection = try SQLiteDatabase(path: path)
            try await connection.run("CREATE TABLE t (a TEXT, b TEXT, c INTEGER, PRIMARY KEY (a, b), UNIQUE (c)) STRICT, WITHOUT ROWID")
            let failures = try await connection.write { db throws(ActionError) in
                [("k", "1", 1), ("k", "1", 2), ("k", "2", 1), ("k", "1", 3)].map { a, b, c in
                    do throws(SQLFailure) {
                        try db.execute("INSERT INTO t VALUES (?, ?, ?)", [a.sql, b.sql, c.sql])
                        return nil as SQLFailure?
                    } catch { return error }
                }
            }
            #expect(failures == [nil, .unique(columns: ["a", "b"]), .unique(columns: ["c"]), .unique(columns: ["a", "b"])])
        }
    }

    @Test(arguments: [
        "INSERT INTO t VALUES (?)", "UPDATE t SET number = ?", "SELECT ? FROM nothing", "not SQL ?", "SELECT ?, ?",
    ])
    func `that fails does not reveal its values`(sql: String) async throws {
        try await withPath { path in
            let connection = try SQLiteDatabase(path: path)
            try await connection.run("CREATE TABLE t (number INTEGER CHECK (number < 9)) STRICT", "INSERT INTO t VALUES (1)")
            let cause = try await cause {
                try await connection.write { db throws(ActionError) in
                    do throws(SQLFailure) { try db.execute(sql, ["secret".sql]) } catch { throw ActionError(error) }
                }
            }
            #expect(cause?.contains("SQLite") == true)
            #expect(cause?.contains("secret") == false)
        }
    }

    @Test func `returns every value as it was bound`() async throws {
        try await withPath { path in
            let values: [SQLValue] = [.null, .integer(.min), .integer(.max), .text("'; DROP TABLE t; -- ü"), .blob([]), .blob([0, 255])]
            let row = try await SQLiteDatabase(path: path).write { db throws(ActionError) in
                do throws(SQLFailure) { return try db.rows("SELECT ?, ?, ?, ?, ?, ?", values) } catch { throw ActionError(error) }
            }
            #expect(row == [SQLRow(values)])
        }
    }
}

extension SQLDatabase {
    func run(_ statements: String...) async throws(ActionError) {
        try await write { db throws(ActionError) in
            do throws(SQLFailure) {
                for statement in statements { try db.execute(statement, []) }
            } catch { throw ActionError(error) }
        }
    }
}

/// Returns the cause if `body` throws `unavailable`.
func cause(_ body: () async throws -> Void) async throws -> String? {
    do {
        try await body()
        return nil
    } catch let error as ActionError { return error.cause }
}

extension ActionError {
    /// The cause that is logged; nil unless the error is `unavailable`.
    var cause: String? { if case .unavailable(let down) = self { down.cause } else { nil } }
}
