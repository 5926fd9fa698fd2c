import Accounts
import Dispatch
import Foundation
import Store
import Synchronization
import Testing
import World
@testable import SQLite

@Suite struct `Group commit` {
    private static let orphan = "INSERT INTO child VALUES (99)"

    /// Runs the statements, one transaction each, as one group: they wait behind a transaction
    /// that is held.
    private func run(_ statements: [String], asOneGroupOf writer: Writer) async throws -> [String?] {
        let held = await HeldTransaction(of: writer)
        return try await withThrowingTaskGroup(of: (Int, String?).self) { group in
            for (number, statement) in statements.enumerated() {
                group.addTask { (number, await writer.cause(of: statement)) }
                try await eventually("a waiting transaction") { writer.waitingCount > number }
            }
            held.release()
            return try await group.reduce(into: Array(repeating: nil, count: statements.count)) { $0[$1.0] = $1.1 }
        }
    }

    private func writer(_ path: String, maxWaiting: Int = 100, seen: Seen = Seen()) async throws -> Writer {
        let writer = try Writer(file: DatabaseFile(preparing: path), maxWaiting: maxWaiting, checkpointLength: 16_000) { seen.add($0) }
        for sql in ["CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT", "CREATE TABLE child (id INTEGER REFERENCES parent (id)) STRICT"]
        {
            #expect(await writer.cause(of: sql) == nil)
        }
        return writer
    }

    /// Collects the reports about commits.
    private final class Seen: Sendable {
        private let commits = Mutex<[Commit]>([])
        var all: [Commit] { commits.withLock(\.self) }
        func add(_ commit: Commit) { commits.withLock { $0.append(commit) } }
    }

    @Test func `is reported with its size, its time and its result`() async throws {
        try await withPath { path in
            let seen = Seen()
            let writer = try await writer(path, seen: seen)
            _ = try await run(["INSERT INTO parent VALUES (1)", "INSERT INTO parent VALUES (2); fail"], asOneGroupOf: writer)
            _ = try await run(["PRAGMA defer_foreign_keys = ON", Self.orphan, "INSERT INTO parent VALUES (3)"], asOneGroupOf: writer)
            try await writer.close()
            // Two tables, and before each group the transaction that was held.
            #expect(seen.all.map(\.transactions) == [1, 1, 1, 2, 1, 3])
            #expect(seen.all.map(\.isDurable) == [true, true, true, true, true, false])
            #expect(seen.all.allSatisfy { $0.span > .zero })
        }
    }

    @Test func `undoes only the transaction that throws`() async throws {
        try await withPath { path in
            let writer = try await writer(path)
            let causes = try await run(
                ["INSERT INTO parent VALUES (1)", "INSERT INTO parent VALUES (2); fail", "INSERT INTO parent VALUES (3)", Self.orphan],
                asOneGroupOf: writer)
            #expect(causes.map { $0 != nil } == [false, true, false, true])
            #expect(await writer.ids() == [1, 3])
        }
    }

    /// D4: if a commit fails, no caller gets a result, not even a refusal. The next commit works.
    @Test func `that fails fails for every transaction of the group, and the next group works`() async throws {
        try await withPath { path in
            let writer = try await writer(path)
            let causes = try await run(
                ["INSERT INTO parent VALUES (1)", "PRAGMA defer_foreign_keys = ON", Self.orphan, "INSERT INTO parent VALUES (2); fail"],
                asOneGroupOf: writer)
            #expect(causes.allSatisfy { $0?.contains("FOREIGN KEY") == true })
            #expect(await writer.ids() == [])
            #expect(await writer.cause(of: "INSERT INTO parent VALUES (5)") == nil)
            #expect(await writer.ids() == [5])
        }
    }

    /// D4, D5: when the disk is full SQLite may end a transaction itself. Later statements would
    /// then be committed one by one.
    @Test func `whose transaction SQLite has ended fails as a whole, and the next group works`() async throws {
        try await withPath { path in
            let writer = try await writer(path)
            let causes = try await run(
                ["INSERT INTO parent VALUES (1)", "ROLLBACK", "INSERT INTO parent VALUES (2)", "INSERT INTO parent VALUES (3); fail"],
                asOneGroupOf: writer)
            #expect(causes.allSatisfy { $0 != nil && $0 != "refused" })
            #expect(await writer.ids() == [])
            #expect(await writer.cause(of: "INSERT INTO parent VALUES (5)") == nil)
            #expect(await writer.ids() == [5])
        }
    }

    /// D4: what is written into a deleted file is gone.
    @Test(arguments: ["", "-wal"]) func `refuses while its file is moved away, and goes on when it is put back`(file: String) async throws {
        try await withPath { path in
            let writer = try await writer(path)
            try FileManager.default.moveItem(atPath: path + file, toPath: path + ".elsewhere")
            #expect(await writer.cause(of: "INSERT INTO parent VALUES (1)")?.contains("was moved, deleted or replaced") == true)
            try FileManager.default.moveItem(atPath: path + ".elsewhere", toPath: path + file)
            #expect(await writer.cause(of: "INSERT INTO parent VALUES (2)") == nil)
            #expect(await writer.ids() == [2])
        }
    }

    /// D4: SQLite would delete the commits that were not yet copied into the database.
    @Test(arguments: [("commits", false), ("", true)])
    func `a database is not created beside the write-ahead log of a lost one`(content: String, isCreated: Bool) async throws {
        try await withPath { path in
            try content.write(toFile: path + "-wal", atomically: false, encoding: .utf8)
            if isCreated { return _ = try DatabaseFile(preparing: path) }
            let error = #expect(throws: ActionError.self) { _ = try DatabaseFile(preparing: path) }
            #expect("\(String(describing: error))".contains("its write-ahead log is not"))
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try String(contentsOfFile: path + "-wal", encoding: .utf8) == content)
        }
    }

    /// D4: a lost database is no first start.
    @Test func `a database that a server has used is not created again`() async throws {
        try await withPath { path in
            let used = try await SQLiteDatabase.openForServer(path: path, patience: .zero)
            used.noteUse()
            try await used.close()
            for file in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + file) {
                try FileManager.default.removeItem(atPath: path + file)
            }
            let error = await #expect(throws: ActionError.self) {
                try await SQLiteDatabase.openForServer(path: path, patience: .zero).close()
            }
            #expect("\(String(describing: error))".contains("it is missing, and a server has used it"))
            #expect(!FileManager.default.fileExists(atPath: path))
            try FileManager.default.removeItem(atPath: path + "-server")
            try await SQLiteDatabase.openForServer(path: path, patience: .zero).close()
        }
    }

    @Test func `limits the number of waiting transactions`() async throws {
        try await withPath { path in
            let writer = try await writer(path, maxWaiting: 1)
            let held = await HeldTransaction(of: writer)
            async let waiting = writer.cause(of: "INSERT INTO parent VALUES (1)")
            try await eventually("a waiting transaction") { writer.waitingCount > 0 }
            #expect(await writer.cause(of: "INSERT INTO parent VALUES (2)")?.contains("waiting") == true)
            held.release()
            #expect(await waiting == nil)
            #expect(await writer.ids() == [1])
        }
    }

    @Test func `of what is waiting happens before the database closes`() async throws {
        try await withPath { path in
            let writer = try await writer(path)
            let held = await HeldTransaction(of: writer)
            async let last = writer.cause(of: "INSERT INTO parent VALUES (1)")
            try await eventually("a waiting transaction") { writer.waitingCount > 0 }
            async let closing: Void = writer.close()
            held.release()
            try await closing
            #expect(await last == nil)
            #expect(await writer.cause(of: "INSERT INTO parent VALUES (2)") == "the database is closed")
            #expect(try await Writer(file: DatabaseFile(preparing: path), maxWaiting: 1, checkpointLength: nil).ids() == [1])
        }
    }
}

/// A transaction that runs until it is released, for a minute at most: a test that throws would
/// wait for it.
private struct HeldTransaction {
    private let semaphore = DispatchSemaphore(value: 0)

    init(of writer: Writer) async {
        let (started, start) = AsyncStream<Void>.makeStream()
        let semaphore = semaphore
        Task {
            await writer.run { _ throws(ActionError) in
                start.finish()
                _ = semaphore.wait(timeout: .now() + .seconds(Duration.patientSeconds))
            }
        }
        for await _ in started {}
    }

    func release() { semaphore.signal() }
}

extension Writer {
    /// Runs one transaction; `; fail` at the end makes it throw after its statement.
    fileprivate func cause(of statement: String) async -> String? {
        let parts = statement.split(separator: ";")
        let result = await run { db throws(ActionError) in
            do throws(SQLFailure) { try db.execute(String(parts[0]), []) } catch { throw ActionError(error) }
            if parts.count > 1 { throw .refused(.weakPassword) }
        }
        switch result {
        case .success: return nil
        case .failure(let error): return error.cause ?? "refused"
        }
    }

    fileprivate func ids() async -> [Int] {
        let result = await run { db throws(ActionError) in
            do throws(SQLFailure) {
                var ids: [Int] = []
                for var row in try db.rows("SELECT id FROM parent ORDER BY id", []) { ids.append(try row.next()) }
                return ids
            } catch { throw ActionError(error) }
        }
        do { return try result.get() } catch { return [-1] }
    }
}
