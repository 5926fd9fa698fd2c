import Crypto
import Foundation
import GRDB

/// Stores accounts and their one-time codes as a careful team would: codes are hashed and spent by
/// one guarded UPDATE in the transaction of the effect, every statement is prepared once, every
/// commit is durable.
struct Codes: Sendable {
    struct NotDurable: Error {}

    private let pool: DatabasePool

    init(path: String) throws {
        pool = try DatabasePool(path: path)
        // `prepareDatabase` is too early: the pool then sets NORMAL, with which a commit does not
        // wait for the disk.
        try pool.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA synchronous = FULL")
            guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2 else { throw NotDurable() }
        }
        try pool.write { db in
            try db.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS account (
                        id INTEGER PRIMARY KEY, email TEXT NOT NULL UNIQUE, verified INTEGER NOT NULL DEFAULT 0);
                    CREATE TABLE IF NOT EXISTS code (
                        hash BLOB PRIMARY KEY, account INTEGER NOT NULL REFERENCES account, url TEXT NOT NULL, spent_at INTEGER
                    ) WITHOUT ROWID;
                    """)
        }
    }

    func isLive(_ code: String) async throws -> Bool {
        try await pool.read { db in
            let statement = try db.cachedStatement(sql: "SELECT 1 FROM code WHERE hash = ? AND spent_at IS NULL")
            return try Int.fetchOne(statement, arguments: [Self.hash(code)]) != nil
        }
    }

    /// Verifies the address of the code's account.
    /// - Returns: The URL to continue to; nil if the code does not exist or is spent.
    func spend(_ code: String) async throws -> String? {
        try await pool.write { db in
            let spend = try db.cachedStatement(
                sql: "UPDATE code SET spent_at = unixepoch() WHERE hash = ? AND spent_at IS NULL RETURNING account, url")
            guard let row = try Row.fetchOne(spend, arguments: [Self.hash(code)]) else { return nil }
            let account: Int = row[0]
            try db.cachedStatement(sql: "UPDATE account SET verified = 1 WHERE id = ?").execute(arguments: [account])
            return row[1]
        }
    }

    private static func hash(_ code: String) -> Data { Data(SHA256.hash(data: Data(code.utf8))) }
}
