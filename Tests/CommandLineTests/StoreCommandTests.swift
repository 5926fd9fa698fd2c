import Accounts
import ArgumentParser
import Base
import Foundation
import Testing
@testable import CommandLine
@testable import Configuration
@testable import Server
@testable import Store

/// The exit status of a command.
private func status(_ run: () async throws -> Void) async throws -> Int32 {
    do {
        try await run()
        return 0
    } catch let code as ExitCode { return code.rawValue }
}

@Suite struct `A copy of a database` {
    private let setup: Users.Setup
    private let project = ProjectID(rawValue: "one")

    init() throws { setup = try Users.Setup() }

    private func store<T>(_ name: String, _ body: (Store) async throws -> T) async throws -> T {
        try await DatabaseSetting.sqlite(path: setup.file(name)).withStore(creating: true, body)
    }

    private func fill() async throws {
        try await store("onward.sqlite") { [project] store in
            try await store.transaction { (records) throws(ActionError) in
                for id in ["ada", "bob"] {
                    try records.insert(Account(project: project, id: AccountID(rawValue: id), createdAt: System.now()))
                }
            }
        }
    }

    private func copy(_ from: String, _ to: String) async throws -> Int32 {
        try await status { try await StoreCommand.Copy.parse(["--from", from, "--to", to]).run() }
    }

    @Test(arguments: ["sqlite:", "config:"])
    func `has the accounts of the original, and is recorded in its audit`(form: String) async throws {
        try await fill()
        let from = form == "config:" ? "config:" + setup.file("onward.yaml") : "sqlite:" + setup.file("onward.sqlite")
        #expect(try await copy(from, "sqlite:" + setup.file("copy")) == 0)
        let (count, methods) = try await store("copy") { [project] store in
            (try await store.countAccounts(in: project), try await store.audit(after: 0, limit: 9).map(\.record.method))
        }
        #expect(count == 2 && methods == ["store copy"])
        // Twice would mix two databases.
        #expect(try await copy(from, "sqlite:" + setup.file("copy")) == 1)
        #expect(try await copy(from, "sqlite:" + setup.file("onward.sqlite")) == 1)
        #expect(try await copy("sqlite:" + setup.file("nowhere"), "sqlite:" + setup.file("other")) == 1)
        #expect(!setup.exists("nowhere") && !setup.exists("other"))
    }

    @Test func `is refused while a server or another command has the original open`() async throws {
        try await fill()
        let running = try await store("onward.sqlite") { _ in
            try await copy("sqlite:" + setup.file("onward.sqlite"), "sqlite:" + setup.file("copy"))
        }
        #expect(running == 1)
        #expect(try await copy("sqlite:" + setup.file("onward.sqlite"), "sqlite:" + setup.file("copy")) == 0)
    }

    @Test(arguments: [
        ("onward.sqlite", "Expected sqlite:PATH, config:PATH or a URL that begins with postgres://."),
        ("sqlite:", "Expected sqlite:PATH"),
        ("postgres://onward:hunter2@h/d", "a password on the command line can be seen by other users; use config:PATH"),
        ("postgres://h:x/d", "expected hosts as host:port"),
    ])
    func `names its databases in one of three ways`(text: String, says: String) {
        let error = #expect(throws: (any Error).self) { try StoreCommand.Copy.parse(["--from", text, "--to", "sqlite:x"]) }
        let message = error.map { StoreCommand.Copy.message(for: $0) } ?? ""
        #expect(message.contains(says) && !message.contains("hunter2"), "\(message)")
        #expect(throws: Never.self) {
            try StoreCommand.Copy.parse(["--from", "sqlite:a b", "--to", "postgres://u@h,i:1/d?sslmode=require"])
        }
    }

    @Test func `is summed up by table`() async throws {
        try await fill()
        let source = DatabaseSetting.sqlite(path: setup.file("onward.sqlite"))
        let copied = try await source.withDatabase { original in
            try await DatabaseSetting.sqlite(path: setup.file("copy")).withDatabase { try await StoreCopy(from: original, to: $0).run() }
        }
        let text = StoreCommand.Copy.summary(copied, from: source.name, to: "b")
        #expect(text == "Copied \(source.name) to b; every table has the same rows and checksum.\n  account: 2\n  row_id_range: 1")
    }

    /// F9: a recovery code takes the place of the app once, and ends with its factor.
    @Test func `of an earlier state is used only after its credentials have ended`() async throws {
        try await store("onward.sqlite") { [project] store in
            try await store.transaction { (records) throws(ActionError) in
                try records.insert(Account(project: project, id: AccountID(rawValue: "ada"), createdAt: System.now()))
                try records.insert(
                    RefreshTokenRecord(
                        token: Digest(bytes: Array(repeating: 1, count: Digest.byteCount)), project: project,
                        account: AccountID(rawValue: "ada"), authTime: System.now(), provider: .password, createdAt: System.now()))
            }
        }
        func revoke() async throws -> Int32 {
            try await status { try await StoreCommand.RevokeCredentials.parse(["--config", setup.file("onward.yaml")]).run() }
        }
        #expect(try await store("onward.sqlite") { _ in try await revoke() } == 1)
        #expect(try await revoke() == 0)
        let session = try await store("onward.sqlite") { store in
            try await store.read { (records) throws(ActionError) in
                try records.session(Digest(bytes: Array(repeating: 1, count: Digest.byteCount)))
            }
        }
        #expect(session == nil)
        #expect(
            try await store("onward.sqlite") { try await $0.audit(after: 0, limit: 9).map(\.record.method) } == ["store revoke-credentials"]
        )
    }
}

@Suite struct `A migration by command` {
    private let setup: Users.Setup

    init() throws { setup = try Users.Setup() }

    private func migrate(_ options: String...) async throws -> Int32 {
        try await status { try await MigrateCommand.parse(options + ["--config", setup.file("onward.yaml")]).run() }
    }

    /// D8: a migration that was interrupted ends in the same schema when it runs again.
    @Test func `creates the schema, and with --dry-run nothing`() async throws {
        #expect(try await migrate("--dry-run") == 1)
        #expect(!setup.exists("onward.sqlite"))
        try setup.write("", to: "onward.sqlite")
        #expect(try await migrate("--dry-run") == 0)
        let database = DatabaseSetting.sqlite(path: setup.file("onward.sqlite"))
        #expect(try await database.withDatabase { try await Store.pendingMigrations(of: $0).count } > 0)
        #expect(try await migrate() == 0)
        #expect(try await database.withDatabase { try await Store.pendingMigrations(of: $0).count } == 0)
        #expect(try await migrate() == 0)
        #expect(try await migrate("--dry-run") == 0)
    }

    /// D8: by a new binary that is installed beside a running server.
    @Test(arguments: [
        "admin-key create", "admin-key list", "audit", "clock", "links list", "mail queue", "mail trace ada@example.com",
        "secret reseal", "signing-key list", "signing-key rotate", "users list",
    ])
    func `is made by no command that is for something else`(command: String) async throws {
        let words = command.split(separator: " ").map(String.init)
        try await setup.createDatabase()
        let database = DatabaseSetting.sqlite(path: setup.file("onward.sqlite"))
        try await database.withDatabase { opened in
            try await opened.write { db throws(ActionError) in
                // As it was before the last migration.
                _ = try SQLRecords(db: db).execute("ALTER TABLE upstream_try DROP COLUMN open_tries")
                _ = try SQLRecords(db: db).execute("DELETE FROM migration WHERE version > 9")
            }
        }
        #expect(try await setup.onward(words) == 1)
        #expect(try await setup.onward(["backup"]) == 0)
        #expect(try await database.withDatabase { try await Store.pendingMigrations(of: $0).map(\.version) } == [10])
        #expect(try await setup.onward(["migrate"]) == 0)
        #expect(try await setup.onward(words) == 0)
    }

    @Test func `prints its statements as a script`() {
        let script = MigrateCommand.script([
            PendingMigration(version: 2, statements: ["CREATE TABLE a (b TEXT)", "DROP TABLE c"]),
            PendingMigration(version: 3, statements: ["SELECT 1"]),
        ])
        #expect(
            script
                == "-- migration 2\nBEGIN;\nCREATE TABLE a (b TEXT);\nDROP TABLE c;\nCOMMIT;\n\n-- migration 3\nBEGIN;\nSELECT 1;\nCOMMIT;\n"
        )
        #expect(MigrateCommand.script([]).isEmpty)
        #expect(MigrateCommand.summary([], of: "db") == "db has the schema of this version already.")
        #expect(MigrateCommand.summary([2, 3], of: "db") == "db: migrations 2, 3 ran.")
    }
}

@Suite struct `A database whose disk is full` {
    private let setup: Users.Setup

    init() throws { setup = try Users.Setup() }

    /// A full disk takes not even the mark of a connection.
    @Test func `the audit is read without writing to the database`() async throws {
        try await setup.createDatabase()
        #expect(try await setup.onward(["audit"]) == 0)
        let before = try Data(contentsOf: URL(filePath: setup.file("onward.sqlite")))
        #expect(try await setup.onward(["audit", "--since", "7d"]) == 0)
        #expect(try Data(contentsOf: URL(filePath: setup.file("onward.sqlite"))) == before)
    }
}
