import Accounts
import Base
import Foundation
import Network
import Store
import Testing
import World
@testable import SQLite

@Suite struct `The write-ahead log` {
    /// Only the checkpointer shortens it.
    @Test func `restarts again and again though commits never pause`() async throws {
        try await withPath { path in
            let writer = try await Writer(filling: path)
            let commits = try await writer.commit(untilTheWALOf: path, hasRestarted: 4)
            try await writer.close()
            #expect(try await rowCount(in: path) == commits)
        }
    }

    /// A checkpoint reaches the end of the log, and the log restarts, only while no connection
    /// reads an older state.
    @Test func `stays short beside a connection that reads nearly all the time`() async throws {
        try await withPath { path in
            let writer = try await Writer(filling: path)
            let reader = try SQLiteConnection(path: path, access: .readOnly)
            var (commits, restarts) = (0, Set<[UInt8]>())
            while restarts.count < 4, commits < 20_000 {
                if commits % 4 == 3 { try reader.run("COMMIT") }
                try await writer.add().get()
                if commits % 4 == 3 || commits == 0 {
                    try reader.run("BEGIN")
                    try reader.run("SELECT count(*) FROM leaf")
                }
                commits += 1
                restarts.insert(try writer.salts(ofTheWALOf: path))
            }
            #expect(restarts.count == 4, "after \(commits) commits")
            let size = try #require(FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int)
            #expect(size < 8 * 500 * 4120)
        }
    }

    /// D4: whichever sync of the database fails, and whether checkpoints reach the end of the log
    /// or a command that reads keeps them from it, so that they count pages without syncing. A
    /// command keeps the shared memory alive, so the next server has to wait until it has ended.
    @Test(arguments: 0..<8, [true, false])
    func `keeps every commit when a sync of the database fails once, whatever has it open then`(
        failing: Int, whileACommandReads: Bool
    ) async throws {
        try await withPath { path in
            ForgetfulDisk.simulate(below: path)
            let failures = AtomicCounter()
            let writer = try await Writer(filling: path) { failures.add() }
            var commits = 20
            for _ in 0..<commits { try await writer.add().get() }
            let reader = try SQLiteConnection(path: path, access: .readOnly)
            try reader.run("SELECT count(*) FROM leaf")
            let command = try SQLiteDatabase(path: path)
            ForgetfulDisk.failSync(of: path, after: failing)
            while case .success = await writer.add(), commits < 20_000 {
                commits += 1
                guard whileACommandReads else { continue }
                if commits % 1000 == 300 { for sql in ["BEGIN", "SELECT count(*) FROM leaf"] { try reader.run(sql) } }
                if commits % 1000 == 900 { try reader.run("COMMIT") }
            }
            // The writer may refuse while the checkpointer still reports.
            try await eventually("the failure is reported") { failures.value > 0 }
            #expect(try await cause { try await writer.add().get() }?.contains("restart Onward") == true)
            try ForgetfulDisk.cutPower(of: path, into: path + ".cut")
            #expect(try await rowCount(in: path + ".cut") == commits)

            // The server ends while the command goes on, and a new one cannot start.
            try await writer.close()
            #expect(failures.value == 1)
            #expect(try await startServer(path, patience: .zero)?.contains("another process") == true)
            try await command.run("INSERT INTO leaf VALUES (zeroblob(3000))")
            commits += 1
            try await command.close()
            try reader.close()
            // The last one to close it leaves the log alone.
            try ForgetfulDisk.cutPower(of: path, into: path + ".cut2")
            #expect(try await rowCount(in: path + ".cut2") == commits)

            let next = try Writer(file: DatabaseFile(preparing: path), maxWaiting: 100, checkpointLength: 500)
            commits += try await next.commit(untilTheWALOf: path, hasRestarted: 3)
            try ForgetfulDisk.cutPower(of: path, into: path + ".cut3")
            #expect(try await rowCount(in: path + ".cut3") == commits)
        }
    }

    /// D4: a write that fails leaves nothing half done.
    @Test func `that cannot be synced ends the process, and has every acknowledged commit`() async throws {
        try await withPath { path in
            ForgetfulDisk.simulate(below: path)
            let failures = AtomicCounter()
            let writer = try await Writer(filling: path) { failures.add() }
            for _ in 0..<5 { try await writer.add().get() }
            ForgetfulDisk.failSync(of: path + "-wal", after: 0)
            let failed = try #require(await writer.add().unavailable)
            #expect(failed.cause.contains("SQLite 1034") && failed.commitState == .unknown)
            #expect(failures.value == 1)
            let refused = try #require(await writer.add().unavailable)
            #expect(refused.cause.contains("restart Onward") && refused.commitState == .notCommitted)
            try await writer.close()
            // The outcome of the commit that failed is unknown.
            #expect([5, 6].contains(try await rowCount(in: path)))
        }
    }

    /// D4: a write that fails leaves nothing half done.
    @Test func `is not created if the disk did not keep the database's first page`() async throws {
        try await withPath { path in
            ForgetfulDisk.simulate(below: path)
            ForgetfulDisk.failSync(of: path, after: 0)
            await #expect(throws: (any Error).self) { try await Writer(filling: path) }
        }
    }

    /// D5: a page that was not written does not count as copied.
    @Test func `grows while the database's disk is full, and restarts when it is not`() async throws {
        try await withPath { path in
            ForgetfulDisk.simulate(below: path)
            let writer = try await Writer(filling: path)
            ForgetfulDisk.fill(path, after: 0)
            var commits = 0
            for _ in 0..<1000 where try await writer.add().get() == () { commits += 1 }
            ForgetfulDisk.fill(path, after: nil)
            commits += try await writer.commit(untilTheWALOf: path, hasRestarted: 2)
            try ForgetfulDisk.cutPower(of: path, into: path + ".cut")
            #expect(try await rowCount(in: path + ".cut") == commits)
        }
    }
}

@Suite struct `A server that opens a database` {
    @Test func `waits for a command that has it open, and says so once`() async throws {
        try await withPath { path in
            let command = try SQLiteDatabase(path: path)
            let waits = AtomicCounter()
            async let server = SQLiteDatabase.openForServer(path: path, patience: .patience) { waits.add() }
            try await eventually("the wait is reported") { waits.value == 1 }
            try await Task.sleep(for: .milliseconds(60))
            try await command.close()
            try await server.close()
            #expect(waits.value == 1)
        }
    }

    @Test func `gives up after some time, and names the reason`() async throws {
        try await withPath { path in
            let command = try SQLiteDatabase(path: path)
            #expect(
                try await startServer(path, patience: .milliseconds(50))?.contains("another process, such as an `onward` command") == true)
            try await command.close()
            #expect(try await startServer(path, patience: .zero) == nil)
        }
    }

    /// Z8: a new process replaces the old one on the same port without a failed request.
    @Test func `does not wait for a server that runs`() async throws {
        try await withPath { path in
            let old = try await SQLiteDatabase.openForServer(path: path, patience: .zero)
            let new = try await SQLiteDatabase.openForServer(path: path, patience: .zero)
            try await old.run("CREATE TABLE t (x INTEGER) STRICT")
            try await old.close()
            try await new.run("INSERT INTO t VALUES (1)")
            try await new.close()
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }

    /// A command that opened it beside a server does not checkpoint, even if it is the last to
    /// close it.
    @Test func `leaves the log to the next one if a command outlives it`() async throws {
        try await withPath { path in
            let server = try await SQLiteDatabase.openForServer(path: path, patience: .zero)
            let command = try SQLiteDatabase(path: path)
            try await command.run("CREATE TABLE t (x INTEGER) STRICT")
            try await server.close()
            try await command.close()
            #expect(FileManager.default.fileExists(atPath: path + "-wal"))
            #expect(try await startServer(path, patience: .zero) == nil)
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        }
    }
}

/// Opens the database as a server does, and closes it.
/// - Returns: why it could not be opened.
private func startServer(_ path: String, patience: Duration) async throws -> String? {
    try await cause { try await SQLiteDatabase.openForServer(path: path, patience: patience).close() }
}

private func rowCount(in path: String) async throws -> Int {
    let database = try SQLiteDatabase(path: path)
    return try await database.read { db throws(ActionError) in
        do throws(SQLFailure) {
            #expect(try db.rows("PRAGMA integrity_check", []) == [SQLRow([.text("ok")])])
            guard var row = try db.rows("SELECT count(*) FROM leaf", []).first else { return 0 }
            return try row.next()
        } catch { throw ActionError(error) }
    }
}

extension Writer {
    /// A writer with a table to fill, whose WAL restarts every few hundred commits.
    fileprivate init(filling path: String, onSyncFailure: @escaping @Sendable () -> Void = {}) async throws {
        try self.init(file: DatabaseFile(preparing: path), maxWaiting: 100, checkpointLength: 500, onSyncFailure: onSyncFailure)
        try await run("CREATE TABLE leaf (content BLOB) STRICT").get()
    }

    fileprivate func add() async -> Result<Void, ActionError> { await run("INSERT INTO leaf VALUES (zeroblob(3000))") }

    /// Adds rows until the WAL has restarted so often.
    /// - Returns: the number of added rows.
    fileprivate func commit(untilTheWALOf path: String, hasRestarted times: Int) async throws -> Int {
        var (restarts, commits) = (Set<[UInt8]>(), 0)
        while restarts.count < times, commits < 20_000 {
            try await add().get()
            commits += 1
            restarts.insert(try salts(ofTheWALOf: path))
        }
        #expect(restarts.count == times, "after \(commits) commits")
        return commits
    }

    private func run(_ statement: String) async -> Result<Void, ActionError> {
        await run { db throws(ActionError) in
            do throws(SQLFailure) { try db.execute(statement, []) } catch { throw ActionError(error) }
        }
    }

    /// The sequence number and the salts in the header, which change when the WAL restarts.
    /// Source: sqlite.org/fileformat2.html, 4.1
    fileprivate func salts(ofTheWALOf path: String) throws -> [UInt8] {
        let wal = try FileHandle(forReadingFrom: URL(filePath: path + "-wal"))
        defer { try? wal.close() }
        return Array((try wal.read(upToCount: 24) ?? Data()).dropFirst(12))
    }
}

extension Result where Failure == ActionError {
    fileprivate var unavailable: Unavailable? {
        guard case .failure(.unavailable(let down)) = self else { return nil }
        return down
    }
}
