import Accounts
import Base
import Foundation
import SQLite
import Store
import Testing

@Suite struct `A store on a disk that fails` {
    /// D4, D5, C4: the disk fails after any number of writes, during clicks that are committed
    /// together. Each click has all of its effect or none, and no restart is needed.
    @Test(arguments: [ENOSPC, EIO])
    func `is unavailable, loses nothing, and recovers by itself`(error: Int32) async throws {
        try await withPath { path in
            let store = try await Store.open(SQLiteDatabase(path: path))
            let folder = URL(filePath: path).deletingLastPathComponent().path()
            var (number, writes, isFailing) = (0, 0, true)
            while isFailing {
                let numbers = number..<(number + 4)
                for number in numbers { try await store.prepare(number) }
                let answers = Causes()
                isFailing = await FaultyDisk.failing(in: folder, after: writes, with: error) {
                    await withTaskGroup { clicks in
                        for number in numbers { clicks.addTask { await answers.add(number, store.click(number)) } }
                    }
                }
                let answered = await answers.all
                for number in numbers {
                    let isDone = try await store.isDone(number)
                    #expect(isDone.spent == isDone.verified, "after \(writes) writes")
                    #expect(isDone.spent == (answered[number] == nil), "after \(writes) writes: \(answered[number] ?? "done")")
                }
                #expect(answered.values.allSatisfy { $0.contains("SQLite") })
                (number, writes) = (numbers.upperBound, writes + 1)
            }
            #expect(writes > 4)
            try await store.ping()
            #expect(try await SQLiteDatabase(path: path).integrity() == "ok")
        }
    }

    /// D7: SQLite says `disk I/O error` if the disk has no room for its shared memory file.
    @Test func `is not opened, and says that the disk is full`() async throws {
        try await withPath { path in
            let folder = URL(filePath: path).deletingLastPathComponent().path()
            var (writes, causes, isFailing) = (0, [String](), true)
            while isFailing {
                isFailing = await FaultyDisk.failing(in: folder, after: writes, with: ENOSPC) {
                    do throws(ActionError) { try await SQLiteDatabase(path: path).close() } catch { causes.append(error.cause ?? "") }
                }
                writes += 1
            }
            #expect(causes.allSatisfy { $0.contains("the disk is full") }, "\(causes)")
            for code in ["SQLite 13", "SQLite 4874"] { #expect(causes.contains { $0.contains(code) }, "\(code)") }
        }
    }
}

/// The causes of failed clicks, by number.
private actor Causes {
    private(set) var all: [Int: String] = [:]
    func add(_ number: Int, _ cause: String?) { all[number] = cause }
}

extension Store {
    fileprivate func prepare(_ number: Int) async throws {
        let (account, code) = (Account.numbered(number), StoredCode.numbered(number))
        try await transaction({ (records) throws(ActionError) in
            try records.insert(account)
            try records.insert(code)
        })
    }

    /// - Returns: the cause, if the store is unavailable.
    fileprivate func click(_ number: Int) async -> String? {
        do throws(ActionError) {
            try await transaction({ (records) throws(ActionError) in
                _ = try records.spend(.numbered(number), of: .verifyEmail, in: Account.numbered(number).project, at: .noon)
                var account = Account.numbered(number)
                account.emailVerified = true
                try records.update(account)
            })
            return nil
        } catch { return error.cause ?? "refused" }
    }

    fileprivate func isDone(_ number: Int) async throws -> (spent: Bool, verified: Bool) {
        let account = Account.numbered(number)
        return try await read({ (records) throws(ActionError) in
            (
                try records.code(.numbered(number))?.end == .used,
                try records.account(account.id, in: account.project)?.emailVerified == true
            )
        })
    }
}

extension SQLiteDatabase {
    fileprivate func integrity() async throws -> String? {
        try await read { db throws(ActionError) in
            do throws(SQLFailure) {
                guard var row = try db.rows("PRAGMA integrity_check", []).first else { return nil }
                return try row.next()
            } catch { throw ActionError(error) }
        }
    }
}

extension Timestamp {
    fileprivate static let noon = Timestamp(seconds: 1_800_000_000)
}

extension Account {
    fileprivate static func numbered(_ number: Int) -> Account {
        var account = Account(project: ProjectID(rawValue: "shop"), id: AccountID(rawValue: "\(number)"), createdAt: .noon)
        account.email = EmailAddress("user\(number)@example.com")
        return account
    }
}

extension CodeKey {
    fileprivate static func numbered(_ number: Int) -> CodeKey {
        CodeKey(rowID: Int64(number + 1), digest: Digest(bytes: (0..<33).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 8))) }))
    }
}

extension StoredCode {
    fileprivate static func numbered(_ number: Int) -> StoredCode {
        let account = Account.numbered(number)
        return StoredCode(
            key: .numbered(number), project: account.project, action: .verifyEmail, account: account.id, email: account.email!,
            createdAt: .noon, expiresAt: .noon + .seconds(60))
    }
}
