import Accounts
import ArgumentParser
import Base
import Foundation
import Logging
import Network
import SQLite
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Server
@testable import Store

/// D9: a backup is one checked state, and a restored one revives nothing. F9: a recovery code takes
/// the place of the app once, and ends with its factor.
@Suite struct `A backup` {
    let setup: Users.Setup
    let project = ProjectID(rawValue: "one")
    let ada = AccountID(rawValue: "ada")
    let now = System.now()

    init() throws { setup = try Users.Setup() }

    private func key(_ number: UInt8) -> CodeKey {
        CodeKey(rowID: Int64(number), digest: Digest(bytes: Array(repeating: number, count: Digest.byteCount)))
    }

    private func code(_ number: UInt8, for action: Action = .resetPassword) -> StoredCode {
        StoredCode(
            key: key(number), project: project, action: action, account: ada,
            email: EmailAddress("ada@example.com")!, newEmail: action == .verifyAndChangeEmail ? EmailAddress("a@example.com") : nil,
            secondFactor: action == .revertSecondFactorAddition ? "f" : nil, createdAt: now, expiresAt: now + .hours(1))
    }

    private func session(_ number: UInt8) -> RefreshTokenRecord {
        RefreshTokenRecord(
            token: Digest(bytes: Array(repeating: number, count: Digest.byteCount)), project: project, account: ada, authTime: now,
            provider: .password,
            createdAt: now)
    }

    private func withStore<Value: Sendable>(_ body: (Store) async throws -> Value) async throws -> Value {
        try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withStore(creating: true, body)
    }

    private func backup(_ options: String...) async throws -> Int32 {
        do { try await Backup.parse(["--config", setup.file("onward.yaml")] + options).run() } catch let code as ExitCode {
            return code.rawValue
        }
        return 0
    }

    private func restore(_ name: String) async throws -> Int32 {
        do { try await Restore.parse([setup.file(name), "--config", setup.file("onward.yaml")]).run() } catch let code as ExitCode {
            return code.rawValue
        }
        return 0
    }

    /// An older binary cannot end what it does not know.
    @Test func `a backup of a newer schema says that the newer version has to make it`() async throws {
        try await fill()
        let database = DatabaseSetting.sqlite(path: setup.file("onward.sqlite"))
        #expect(try await database.withDatabase { await Backup.caveat(about: $0) } == nil)
        _ = try await database.withDatabase { opened in
            try await opened.write { db throws(ActionError) in
                try SQLRecords(db: db).execute("INSERT INTO migration (version, checksum) VALUES (99, 1)")
            }
        }
        #expect(try await database.withDatabase { await Backup.caveat(about: $0) }?.contains("make it by that version") == true)
        #expect(try await backup("--to", setup.file("newer.sqlite")) == 0)
        #expect(setup.exists("newer.sqlite"))
    }

    /// D9: as with a full disk.
    @Test func `a backup is made even if it cannot be recorded`() async throws {
        try await fill()
        _ = try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite")).withDatabase { opened in
            try await opened.write { db throws(ActionError) in try SQLRecords(db: db).execute("DROP TABLE audit") }
        }
        #expect(try await backup("--to", setup.file("copy.sqlite")) == 1)
        #expect(setup.exists("copy.sqlite"))
    }

    /// An account with a live code of each action, a recovery code and a session.
    private func fill() async throws {
        try await withStore { store in
            try await store.transaction { (records) throws(ActionError) in
                try records.insert(Account(project: project, id: ada, createdAt: now))
                for (number, action) in Action.allCases.enumerated() { try records.insert(code(UInt8(number), for: action)) }
                try records.insert(session(1))
                let factor = SecondFactor(id: "app", kind: .totp, sealedKey: [1], enrolledAt: now)
                try records.insert(factor, of: ada, in: project, byAdmin: false)
                let account = Account(project: project, id: ada, createdAt: now)
                try records.insert(recoveryCodes: [key(9).digest], of: factor, of: account)
            }
            let keys = SigningKeys(
                store: store, secrets: Secrets(root: [1]), workerPool: .init(label: "t", width: 1, maxWaiting: 1), now: System.now,
                random: System.random)
            _ = try await keys.ring()
        }
    }

    /// The codes, recovery codes and sessions that work, and whether the account exists.
    private func alive() async throws -> (codes: Int, recoveryCodes: Int, sessions: Int, keys: Int, accounts: Int) {
        try await withStore { store in
            let keys = try await store.signingKeys().count
            let accounts = try await store.countAccounts(in: project)
            return try await store.transaction { (records) throws(ActionError) in
                var codes = 0
                for (number, action) in Action.allCases.enumerated()
                where try records.spend(key(UInt8(number)), of: action, in: project, at: now) != nil { codes += 1 }
                let session = try records.session(Digest(bytes: Array(repeating: 1, count: Digest.byteCount)))
                let account = Account(project: project, id: ada, createdAt: now)
                let hasRecoveryCode = try records.spend(recoveryCode: key(9).digest, of: account)
                return (codes, hasRecoveryCode ? 1 : 0, session == nil ? 0 : 1, keys, accounts)
            }
        }
    }

    @Test(arguments: ["as it was made", "by any other means"])
    func `revives no code or session when it is restored`(_ means: String) async throws {
        try await fill()
        if means == "as it was made" {
            #expect(try await backup("--to", setup.file("copy")) == 0)
        } else {
            try FileManager.default.copyItem(atPath: setup.file("onward.sqlite"), toPath: setup.file("copy"))
        }
        #expect(try await alive() == (Action.allCases.count, 1, 1, 1, 1))
        #expect(try await restore("copy") == 0)
        #expect(try await alive() == (0, 0, 0, 0, 1))
        let kept = try FileManager.default.contentsOfDirectory(atPath: setup.folder.path)
        #expect(kept.contains { $0.hasPrefix("onward.sqlite-replaced-") })
        #expect(!kept.contains { $0.contains(".partial-") })
    }

    /// Without the command, by `cp`.
    @Test func `revives no code or session when it is copied by hand`() async throws {
        try await fill()
        #expect(try await backup("--to", setup.file("copy")) == 0)
        try FileManager.default.removeItem(atPath: setup.file("onward.sqlite"))
        try FileManager.default.copyItem(atPath: setup.file("copy"), toPath: setup.file("onward.sqlite"))
        #expect(try await alive() == (0, 0, 0, 0, 1))
    }

    @Test func `is readable by this user only and replaces no file`() async throws {
        try await fill()
        #expect(try await backup("--to", setup.file("copy")) == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: setup.file("copy"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let first = attributes[.systemFileNumber] as? Int
        #expect(try await backup("--to", setup.file("copy")) == 1)
        #expect(try FileManager.default.attributesOfItem(atPath: setup.file("copy"))[.systemFileNumber] as? Int == first)
        #expect(try await backup("--to", setup.file("copy"), "--force") == 0)
        #expect(try FileManager.default.attributesOfItem(atPath: setup.file("copy"))[.systemFileNumber] as? Int != first)
        #expect(try await backup() == 0)
        #expect(try await backup("--to", setup.file("nowhere/copy")) == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: setup.folder.path)
        #expect(names.contains { $0.hasPrefix("onward.sqlite-2") && $0.hasSuffix(".backup") })
        #expect(!names.contains { $0.contains(".partial-") })
    }

    /// D9: by root, although the server has its own user.
    @Test(.enabled(if: getuid() == 0))
    func `of root belongs to the user of the server, as does a database that root creates or restores`() async throws {
        func owner(_ name: String) throws -> [Int?] {
            let attributes = try FileManager.default.attributesOfItem(atPath: setup.file(name))
            return [attributes[.ownerAccountID] as? Int, attributes[.groupOwnerAccountID] as? Int]
        }
        #expect(chown(setup.folder.path, 4242, 4243) == 0)
        let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let server = try await DatabaseSetting.sqlite(path: setup.file("onward.sqlite"))
            .openForServer(logger: quiet, observe: { _ in }, onSyncFailure: {})
        for name in ["onward.sqlite", "onward.sqlite-wal", "onward.sqlite-shm", "onward.sqlite-server"] {
            #expect(try owner(name) == [4242, 4243], "\(name)")
        }
        try await server.close()
        try await fill()
        #expect(try await backup("--to", setup.file("copy")) == 0)
        #expect(try owner("copy") == [0, 0], "it has the hashes of passwords")
        #expect(chown(setup.file("onward.sqlite"), 4244, 4245) == 0)
        #expect(try await restore("copy") == 0)
        #expect(try owner("onward.sqlite") == [4244, 4245])
    }

    @Test(arguments: ["", "-wal", "-shm", "-journal", "-server"])
    func `never replaces the database or a file beside it`(_ suffix: String) async throws {
        try await fill()
        let database = setup.file("onward.sqlite")
        let files = FileManager.default
        try files.createSymbolicLink(atPath: setup.file("here"), withDestinationPath: setup.folder.path)
        for target in [database + suffix, setup.file("here/onward.sqlite\(suffix)")] {
            #expect(try await backup("--to", target, "--force") == 1, "\(target)")
        }
        if !setup.exists("onward.sqlite\(suffix)") { try setup.write("", to: "onward.sqlite\(suffix)") }
        try files.linkItem(atPath: database + suffix, toPath: setup.file("other"))
        #expect(try await backup("--to", setup.file("other"), "--force") == 1, "by another name")
        #expect(try await alive() == (Action.allCases.count, 1, 1, 1, 1))
    }

    /// O3: every action is logged, and everything done with an admin's power is in the audit.
    @Test func `says if the record of the audit was not completed`() async throws {
        try await fill()
        let lost = AtomicCounter()
        try await withStore { store in
            try await store.recording("backup", lost: lost) {}
            #expect(lost.value == 0)
            try await store.recording("backup", lost: lost) {
                _ = try await store.begin(AuditRecord(at: System.now(), actor: "cli:test", method: "later"))
                _ = try await store.purgeAudit(before: System.now() + .hours(1), limit: 9)
            }
        }
        #expect(lost.value == 1)
    }

    /// A check of a large copy takes longer than a server waits for a database that is in use.
    @Test func `does not need the database while the copy is checked`() async throws {
        try await fill()
        let path = setup.file("onward.sqlite")
        try await BriefAudit(database: .sqlite(path: path)).recording("backup") {
            let copy = try DatabaseCopy(of: path, for: setup.file("copy"))
            #expect(!SQLiteFile.isInUse(path) && !setup.exists("copy"))
            try await copy.complete()
            try copy.place()
        }
        let outcome = try await withStore { try await $0.audit(after: 0, limit: 9).last?.record.outcome }
        #expect(setup.exists("copy") && outcome == .done)
    }

    /// O3: every action is logged, and everything done with an admin's power is in the audit.
    @Test func `that fails is recorded as failed`() async throws {
        try await fill()
        #expect(try await backup("--to", setup.file("nowhere/copy")) == 1)
        let outcome = try await withStore { try await $0.audit(after: 0, limit: 9).last?.record.outcome }
        guard case .refused? = outcome else { throw CocoaError(.formatting) }
    }

    /// A restore whose last step fails has the database of before in its place, with its log.
    @Test(.enabled(if: getuid() != 0, "root may read every folder"))
    func `is in place, and without the log of another database, if only its folder cannot be synced`() async throws {
        try await fill()
        #expect(try await backup("--to", setup.file("copy")) == 0)
        let files = FileManager.default
        // A log that a killed server left.
        try setup.write("log", to: "onward.sqlite-wal")
        let folder = setup.folder.path
        try files.setAttributes([.posixPermissions: 0o300], ofItemAtPath: folder)
        defer { try? files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder) }
        let status = try await restore("copy")
        try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
        #expect(status == 1)
        let wal = files.contents(atPath: setup.file("onward.sqlite-wal")).map { String(decoding: $0, as: UTF8.self) }
        #expect(wal != "log")
    }

    /// As root it would be renamed over the device of every program.
    @Test(arguments: [[], ["--force"]]) func `replaces nothing but files`(options: [String]) async throws {
        try await fill()
        let (pipe, folder) = (setup.file("pipe"), setup.file("folder"))
        #expect(mkfifo(pipe, 0o600) == 0)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for target in [pipe, folder, "/dev/null"] {
            let before = System.irregularity(of: target)
            #expect(before != nil)
            let command = try Backup.parse(["--config", setup.file("onward.yaml"), "--to", target] + options)
            await #expect(throws: ExitCode.self) { try await command.run() }
            #expect(System.irregularity(of: target) == before)
        }
    }

    @Test func `is not restored, and the reason is said, if it cannot be read`() {
        let reasons = ["nowhere", "onward.yaml/backup", "", "onward.yaml"].map { System.obstacle(toReading: setup.file($0)) }
        #expect(reasons == ["No such file or directory", "Not a directory", "it is a folder", nil])
    }

    @Test func `is not restored under a running server, or if it is damaged or not a database of Onward`() async throws {
        try await fill()
        #expect(try await backup("--to", setup.file("copy")) == 0)
        let status = try await withStore { _ in try await restore("copy") }
        #expect(status == 1)
        try setup.write("", to: "empty")
        var bytes = try Data(contentsOf: URL(filePath: setup.file("copy")))
        for index in stride(from: 8_192, to: bytes.count, by: 512) { bytes[index] ^= 0xff }
        try bytes.write(to: URL(filePath: setup.file("damaged")))
        for name in ["empty", "damaged", "nowhere", "onward.yaml"] { #expect(try await restore(name) == 1, "\(name)") }
        #expect(try await alive() == (Action.allCases.count, 1, 1, 1, 1))
        let names = try FileManager.default.contentsOfDirectory(atPath: setup.folder.path)
        #expect(!names.contains { $0.contains(".partial-") })
    }

    /// A transaction that runs during the backup is in the copy completely or not at all.
    @Test func `is a consistent state of a database that is being written`() async throws {
        try await fill()
        let copies = (0..<5).map { "copy\($0)" }
        try await withStore { store in
            let writing = Task { [project] in
                var number = 0
                while !Task.isCancelled {
                    let ids = [0, 1].map { AccountID(rawValue: "pair-\(number)-\($0)") }
                    try await store.transaction { (records) throws(ActionError) in
                        for id in ids { try records.insert(Account(project: project, id: id, createdAt: System.now())) }
                    }
                    number += 1
                }
                return number
            }
            for copy in copies {
                let status = try await backup("--to", setup.file(copy))
                #expect(status == 0)
            }
            writing.cancel()
            let written = try await writing.value
            #expect(written > 0)
        }
        for copy in copies {
            try await DatabaseSetting.sqlite(path: setup.file(copy)).withStore { store in
                let count = try await store.countAccounts(in: project)
                #expect(count % 2 == 1, "Ada, and pairs")
            }
        }
    }
}
