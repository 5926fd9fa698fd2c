import Accounts
import Foundation
@testable import SQLite
import Store
import Testing

@Suite struct `A log` {
    /// Nobody but the writer and what works beside it takes it over, so it would grow for ever.
    @Test func `begins anew, again and again, though commits never pause`() async throws {
        try await withPath { path in
            let writer = try Writer(file: DatabaseFile(preparing: path), maxWaiting: 100, logPages: 400)
            try await writer.add("CREATE TABLE leaf (content BLOB) STRICT")
            var (beginnings, commits) = (Set<[UInt8]>(), 0)
            while beginnings.count < 4, commits < 20_000 {
                try await writer.add("INSERT INTO leaf VALUES (zeroblob(3000))")
                commits += 1
                beginnings.insert(try beginning(ofLogOf: path))
            }
            #expect(beginnings.count == 4, "after \(commits) commits")
            // Closing waits for what is under way; nothing of it was lost, and another finds all.
            try await writer.close()
            let reader = try SQLiteConnection(path: path)
            let rows = try await reader.read { db throws(ActionError) in
                do throws(SQLFailure) { return try db.rows("SELECT count(*) FROM leaf", []) } catch { throw ActionError(error) }
            }
            #expect(rows == [SQLRow([.integer(Int64(commits))])])
            #expect(try await reader.integrity() == "ok")
        }
    }

    /// Changes when the log begins anew: the sequence number and the salts in its header. Source: sqlite.org/fileformat2.html, 4.1.
    private func beginning(ofLogOf path: String) throws -> [UInt8] {
        let log = try FileHandle(forReadingFrom: URL(filePath: path + "-wal"))
        defer { try? log.close() }
        return Array((try log.read(upToCount: 24) ?? Data()).dropFirst(12))
    }
}

extension Writer {
    fileprivate func add(_ statement: String) async throws {
        try await run { db throws(ActionError) in
            do throws(SQLFailure) { try db.execute(statement, []) } catch { throw ActionError(error) }
        }.get()
    }
}
