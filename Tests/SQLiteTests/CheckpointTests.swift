import Accounts
import Foundation
import CSQLite
import Queues
@testable import SQLite
import Store
import Testing

@Suite struct `A log` {
    /// Nobody but the writer and what works beside it takes it over, so it would grow for ever.
    @Test func `begins anew, again and again, though commits never pause`() async throws {
        try await withPath { path in
            let writer = try await Writer(leavesAt: path)
            let commits = try await writer.commitUntil(theLogOf: path, hasBegun: 4)
            // Closing waits for what is under way; nothing of it was lost, and another finds all.
            try await writer.close()
            #expect(try await leaves(in: path) == commits)
        }
    }

    /// A checkpoint reaches the end, and the log begins anew, only while nobody reads what came before.
    @Test func `stays short beside somebody who reads nearly all the time`() async throws {
        try await withPath { path in
            let writer = try await Writer(leavesAt: path)
            var (commits, beginnings, reader) = (0, Set<[UInt8]>(), OpaquePointer?.none)
            defer { sqlite3_close(reader) }
            #expect(sqlite3_open(path, &reader) == SQLITE_OK)
            while beginnings.count < 4, commits < 20_000 {
                if commits % 4 == 3 { #expect(sqlite3_exec(reader, "COMMIT", nil, nil, nil) == SQLITE_OK) }
                try await writer.add().get()
                if commits % 4 == 3 || commits == 0 {
                    #expect(sqlite3_exec(reader, "BEGIN; SELECT count(*) FROM leaf", nil, nil, nil) == SQLITE_OK)
                }
                commits += 1
                beginnings.insert(try writer.beginning(ofLogOf: path))
            }
            #expect(beginnings.count == 4, "after \(commits) commits")
            let size = try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
            #expect(size < 8 * 500 * 4120)
        }
    }

    /// D4: whichever sync of the database it is, and whether a checkpoint reaches the end of the log or a reader keeps it from that.
    @Test(arguments: 0..<8, [true, false])
    func `is kept until the disk has what was taken over, though the disk told of its failure once`(
        failing: Int, whileOneReads: Bool
    ) async throws {
        try await withPath { path in
            ForgetfulDisk.lies(under: path)
            let losses = AtomicCounter()
            let writer = try await Writer(leavesAt: path) { losses.add() }
            var (commits, reader) = (20, OpaquePointer?.none)
            for _ in 0..<commits { try await writer.add().get() }
            defer { sqlite3_close(reader) }
            #expect(sqlite3_open(path, &reader) == SQLITE_OK)
            if whileOneReads { #expect(sqlite3_exec(reader, "BEGIN; SELECT * FROM leaf", nil, nil, nil) == SQLITE_OK) }
            ForgetfulDisk.failSync(under: path, after: failing)
            while case .success = await writer.add(), commits < 20_000 { commits += 1 }
            #expect(losses.value == 1)
            #expect(try await cause { try await writer.add().get() }?.contains("start Onward anew") == true)
            try ForgetfulDisk.cutPower(of: path, into: path + ".cut")
            #expect(try await leaves(in: path + ".cut") == commits)

            // The next process, where somebody still has the file open: what SQLite knows in memory lives on.
            #expect(!whileOneReads || sqlite3_exec(reader, "COMMIT", nil, nil, nil) == SQLITE_OK)
            let next = try Writer(file: DatabaseFile(preparing: path), maxWaiting: 100, logPages: 500)
            commits += try await next.commitUntil(theLogOf: path, hasBegun: 3)
            try ForgetfulDisk.cutPower(of: path, into: path + ".cut2")
            #expect(try await leaves(in: path + ".cut2") == commits)
        }
    }

    /// D4
    @Test func `is not begun where the disk did not keep the database's first page`() async throws {
        try await withPath { path in
            ForgetfulDisk.lies(under: path)
            ForgetfulDisk.failSync(under: path, after: 0)
            await #expect(throws: (any Error).self) { try await Writer(leavesAt: path) }
        }
    }

    /// D5: what is not written is not counted as taken over, so nothing is lost but time.
    @Test func `grows while the database cannot, and begins anew when it can`() async throws {
        try await withPath { path in
            ForgetfulDisk.lies(under: path)
            let writer = try await Writer(leavesAt: path)
            ForgetfulDisk.setFull(true, under: path)
            var commits = 0
            for _ in 0..<1000 where try await writer.add().get() == () { commits += 1 }
            ForgetfulDisk.setFull(false, under: path)
            commits += try await writer.commitUntil(theLogOf: path, hasBegun: 2)
            try ForgetfulDisk.cutPower(of: path, into: path + ".cut")
            #expect(try await leaves(in: path + ".cut") == commits)
        }
    }

    /// A checkpoint's pages are written before they are synced, on the descriptor that SQLite has.
    @Test func `is taken over into the file that SQLite has open, whatever else is`() async throws {
        try await withPath { path in
            let file = try DatabaseFile(preparing: path)
            #expect(file.opened == nil)
            let writer = try await Writer(leavesAt: path)
            let opened = try #require(file.opened)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(opened.descriptor)") == path)
            #expect(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int == opened.size)
            try await writer.close()
            #expect(file.opened == nil)
        }
    }

    @Test(arguments: [0, 1, 4096, 300 * 4096, 1 << 32], [0, 1, 16, 500, 16_000])
    func `is written in parts that make up the whole file`(size: Int, pages: Int) {
        let parts = DatabaseFile.parts(of: size, pages: pages)
        #expect(parts.reduce(0) { $1.lowerBound == $0 ? $1.upperBound : -1 } == size)
        #expect(parts.count <= max(pages / 16, 1) + 1)
        #expect(parts.dropLast().allSatisfy { $0.count >= 16 * 4096 })
    }

    @Test(arguments: [
        (1000, Duration.zero, Duration.zero), (1000, .milliseconds(300), .microseconds(300)), (1000, .seconds(86_400), .milliseconds(1)),
        (10, .seconds(86_400), .milliseconds(1)), (5000, .seconds(86_400), .microseconds(200)), (0, .seconds(1), .milliseconds(1)),
    ])
    func `is written no slower than it came, and in a second at most`(parts: Int, span: Duration, pace: Duration) {
        #expect(DatabaseFile.pace(of: parts, within: span) == pace)
    }

    private func leaves(in path: String) async throws -> Int {
        let connection = try SQLiteDatabase(path: path)
        return try await connection.read { db throws(ActionError) in
            do throws(SQLFailure) {
                #expect(try db.rows("PRAGMA integrity_check", []) == [SQLRow([.text("ok")])])
                guard var row = try db.rows("SELECT count(*) FROM leaf", []).first else { return 0 }
                return try row.next()
            } catch { throw ActionError(error) }
        }
    }
}

extension Writer {
    /// With a log that begins anew every few hundred commits, and a table to fill.
    fileprivate init(leavesAt path: String, onLost: @escaping @Sendable () -> Void = {}) async throws {
        try self.init(file: DatabaseFile(preparing: path), maxWaiting: 100, logPages: 500, onLost: onLost)
        try await run("CREATE TABLE leaf (content BLOB) STRICT").get()
    }

    fileprivate func add() async -> Result<Void, ActionError> { await run("INSERT INTO leaf VALUES (zeroblob(3000))") }

    /// - Returns: How many leaves were added until the log had begun so often, counted from when this was called.
    fileprivate func commitUntil(theLogOf path: String, hasBegun times: Int) async throws -> Int {
        var (beginnings, commits) = (Set<[UInt8]>(), 0)
        while beginnings.count < times, commits < 20_000 {
            try await add().get()
            commits += 1
            beginnings.insert(try beginning(ofLogOf: path))
        }
        #expect(beginnings.count == times, "after \(commits) commits")
        return commits
    }

    private func run(_ statement: String) async -> Result<Void, ActionError> {
        await run { db throws(ActionError) in
            do throws(SQLFailure) { try db.execute(statement, []) } catch { throw ActionError(error) }
        }
    }

    /// Changes when the log begins anew: the sequence number and the salts in its header. Source: sqlite.org/fileformat2.html, 4.1.
    fileprivate func beginning(ofLogOf path: String) throws -> [UInt8] {
        let log = try FileHandle(forReadingFrom: URL(filePath: path + "-wal"))
        defer { try? log.close() }
        return Array((try log.read(upToCount: 24) ?? Data()).dropFirst(12))
    }
}
