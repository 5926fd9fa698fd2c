import Accounts
import Base
import Testing
@testable import Store

@Suite(.temporaryFolder) struct `The definitions of tables` {
    /// They are read from the statements of the schema; SQLite's catalogue has what those made.
    @Test func `agree with the tables that the schema creates`() async throws {
        let database = try Engine.sqlite.emptyDatabase()
        _ = try await database.open()
        let connection = try await database.connect()
        let tables = TableDefinition.all(in: connection.dialect)
        let names = try await database.contents().keys
        #expect(Set(tables.map(\.name)) == Set(names).subtracting(["migration"]).union([Self.reservations]))
        #expect(tables.count == Set(tables.map(\.name)).count)
        for table in tables {
            let found = try await Catalogue(of: table.name, in: connection)
            #expect(table.columns == found.columns, "\(table.name)")
            #expect(table.key == found.key && !found.key.isEmpty, "\(table.name)")
            #expect(table.references == found.references, "\(table.name)")
        }
        #expect(Set(tables.filter { $0.identity != nil }.map { "\($0.name).\($0.identity ?? "")" }) == Self.identities)
    }

    /// The table of reserved ids, which `contents` leaves out.
    static let reservations = "row_id_range"

    /// The columns whose values `INSERT` may leave to the engine. A statement that relies on it
    /// without such a column fails on PostgreSQL.
    static let identities: Set = ["short_link.id", "account_event.position", "audit.position"]

    @Test func `come after those that they refer to`() async throws {
        var known: Set<String> = []
        for table in TableDefinition.all(in: try await Engine.sqlite.emptyDatabase().connect().dialect) {
            #expect(table.references.subtracting([table.name]).isSubset(of: known), "\(table.name)")
            known.insert(table.name)
        }
        #expect(known.count > 20)
    }

    @Test func `follow the statements of later migrations`() async throws {
        let dialect = try await Engine.sqlite.emptyDatabase().connect().dialect
        let statements =
            Migration.examples.flatMap(\.statements) + [
                "CREATE TABLE spoon (id \(dialect.identityColumn), shape TEXT CHECK (shape IN ('a, b', '(')), UNIQUE (shape))",
                "CREATE TABLE fork (spoon INTEGER REFERENCES spoon (id), at INTEGER, PRIMARY KEY (spoon, at))", "CREATE TABLE old (x TEXT)",
                "DROP TABLE old",
            ]
        let tables = TableDefinition.all(of: statements, in: dialect)
        #expect(tables.map(\.name) == ["recipe", "spoon", "fork"])
        #expect(tables.map(\.columns) == [["name", "servings"], ["id", "shape"], ["spoon", "at"]])
        #expect(tables.map(\.key) == [["name"], ["id"], ["spoon", "at"]])
        #expect(tables.map(\.identity) == [nil, "id", nil] && tables[2].references == ["spoon"])
    }

    /// The columns, the primary key and the foreign keys of a table as SQLite has them.
    private struct Catalogue {
        let columns, key: [String]
        let references: Set<String>

        init(of table: String, in database: any SQLDatabase) async throws {
            (columns, key, references) = try await database.read { db throws(ActionError) in
                let records = SQLRecords(db: db)
                let columns: [String] = try records.column("SELECT name FROM pragma_table_info(?) ORDER BY cid", [table])
                let key: [String] = try records.column("SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", [table])
                let references: [String] = try records.column("SELECT \"table\" FROM pragma_foreign_key_list(?)", [table])
                return (columns, key, Set(references))
            }
        }
    }
}

/// One engine to copy from and one to copy to.
struct CopyDirection: Sendable, CustomTestStringConvertible {
    let source, target: Engine
    var testDescription: String { "\(source) to \(target)" }

    static let all = Engine.allCases.flatMap { source in Engine.allCases.map { CopyDirection(source: source, target: $0) } }
    /// Each engine once as the source and once as the target.
    static let cycle = zip(Engine.allCases, Engine.allCases.dropFirst() + Engine.allCases.prefix(1)).map(CopyDirection.init)
}

@Suite(.temporaryFolder) struct `A copy of a store` {
    /// A database with two rows in every table; most have several columns without a value.
    private static func filled(_ engine: Engine) async throws -> TestDatabase {
        let database = try engine.emptyDatabase()
        let store = try await database.open()
        try await store.prepare(.sample(.number(1)), .sample(.number(2), .verifyEmail), .sample(.number(3), .recoverEmail))
        try await store.transaction({ (records) throws(ActionError) in
            for number in 1...2 {
                try records.insert(RefreshTokenRecord.sample(.number(number)))
                try records.insert(StoredMail.sample(MailID(rawValue: Int64(number))))
            }
            for account in [Account.sample(), .sample(.bob, email: .bob)] {
                try records.set(Invitation(sentAt: .noon, expiresAt: .noon + .days(7), madeAccount: true), of: account)
            }
        })
        try await database.run(
            "INSERT INTO secret (number, fingerprint, fingerprint_copy, state) VALUES (1, ?, ?, 'current')",
            arguments: [.blob(Array(repeating: 7, count: 33)), .blob(Array(repeating: 7, count: 33))])
        try await database.run("INSERT INTO clock (id, mark, acceptances) VALUES (1, 1800000000000, 0)")
        try await database.run(
            "INSERT INTO short_link (id, project, origin, path, link, created_at) VALUES (41, 'shop', 'https://l.example', '/a', 'x', 1)",
            "INSERT INTO short_link_count (link, day, platform, event, count) VALUES (41, 1, 'IOS', 'CLICK', 3)",
            "INSERT INTO audit (position, at, actor, method) VALUES (70, 1, 'cli:ä', 'é \u{1F600}')",
            "INSERT INTO account_event (position, id, endpoint, kind, also_kinds, project, details, at, queue, attempts, due_at) "
                + "VALUES (9, 'e', 'https://app.example/', 'account.merged', '', 'shop', '{}', 1, 'ada', 0, 1)",
            "INSERT INTO account (project, id, email_verified, valid_since, disabled, created_at, email_link_sign_in) "
                + "VALUES ('shop', 'Ä', 0, 0, 0, 1, 0)",
            "INSERT INTO account (project, id, email_verified, valid_since, disabled, created_at, email_link_sign_in) "
                + "VALUES ('shop', 'Z', 0, 0, 0, 1, 0)")
        return database
    }

    /// Everything except the record of migrations, which is the target's own.
    private static func rows(_ database: TestDatabase) async throws -> [String: [SQLRow]] {
        try await database.contents().filter { $0.key != "migration" }
    }

    /// D8: every table, with texts and bytes as they were.
    @Test(arguments: CopyDirection.all.map { ($0, 2) } + CopyDirection.cycle.flatMap { [($0, 1), ($0, 512)] })
    func `has every row of the original`(_ direction: CopyDirection, pageSize: Int) async throws {
        let (source, target) = (try await Self.filled(direction.source), try direction.target.emptyDatabase())
        let copied = try await StoreCopy(from: source.connect(), to: target.connect(), pageSize: pageSize).run()
        let original = try await Self.rows(source)
        #expect(try await Self.rows(target) == original)
        for table in copied where table.table != `The definitions of tables`.reservations {
            #expect(table.rows == original[table.table]?.count, "\(table.table)")
        }
        #expect(copied.filter { $0.rows > 0 }.count >= 10 && copied.count == original.count + 1)
        // The engine goes on above the ids that were copied.
        try await target.run("INSERT INTO audit (at, actor, method) VALUES (2, 'a', 'b')")
        let store = try await target.open()
        #expect(try await store.audit(after: 70, since: nil, in: nil, limit: 9).map(\.position) == [71])
        #expect(try await store.account(.ada) != nil)
    }

    /// More rows than one statement inserts.
    @Test(arguments: CopyDirection.cycle, [63, 64, 65, 200])
    func `has many rows`(_ direction: CopyDirection, count: Int) async throws {
        let (source, target) = (try direction.source.emptyDatabase(), try direction.target.emptyDatabase())
        let store = try await source.open()
        try await store.transaction { (records) throws(ActionError) in
            for number in 0..<count { try records.insert(.sample(AccountID(rawValue: "\(number)"), email: nil)) }
        }
        var shown: [StoreCopy.Progress] = []
        _ = try await StoreCopy(from: source.connect(), to: target.connect(), pageSize: 100).run { shown.append($0) }
        #expect(try await target.open().countAccounts(in: .shop) == count)
        #expect(shown.contains { $0.phase == .copying && $0.rows == count + 1 && $0.total == count + 1 })
        #expect(shown.contains { $0.phase == .verifying && $0.rows == count + 1 })
    }

    /// Ends at every seventeenth statement, and runs again. Until the copy is complete, the target
    /// cannot be opened.
    @Test(arguments: CopyDirection.cycle)
    func `continues after an interruption, and is not opened before it is complete`(_ direction: CopyDirection) async throws {
        let source = try await Self.filled(direction.source)
        let (expected, name) = (try await Self.rows(source), try await source.connect().name)
        var (last, refusals) = (3, 0)
        while true {
            let target = try direction.target.emptyDatabase()
            let interrupted = Interrupted(base: try await target.connect()) { [last] _, number in number == last }
            let error = try await failure { _ = try await StoreCopy(from: source.connect(), to: interrupted, pageSize: 2).run() }
            #expect(error.map(\.isInjected) == (interrupted.hasEnded ? true : nil))
            if interrupted.hasEnded, try await target.contents()["store_copy"]?.isEmpty == false {
                for attempt in [{ _ = try await target.open() }, { _ = try await Store.pendingMigrations(of: target.connect()) }] {
                    let refusal = try await failure(attempt)?.cause
                    #expect(refusal?.contains("is an unfinished copy of \(name). Run the same `onward store copy` again") == true)
                }
                refusals += 1
            }
            if interrupted.hasEnded { _ = try await StoreCopy(from: source.connect(), to: target.connect(), pageSize: 2).run() }
            #expect(try await Self.rows(target) == expected)
            guard interrupted.hasEnded else { break }
            last += 17
        }
        #expect(refusals >= 5)
    }

    @Test(arguments: CopyDirection.cycle)
    func `is refused into a database with rows, of another program or of another copy`(_ direction: CopyDirection) async throws {
        let source = try await Self.filled(direction.source)
        func refusal(_ target: TestDatabase) async throws -> String? {
            try await failure { _ = try await StoreCopy(from: source.connect(), to: target.connect()).run() }?.cause
        }
        let used = try direction.target.emptyDatabase()
        try await used.open().prepare()
        #expect(try await refusal(used)?.contains("is not empty: it has rows in the table account") == true)
        let foreign = try direction.target.emptyDatabase()
        try await foreign.runAsOther("CREATE TABLE recipe (name TEXT)")
        #expect(try await refusal(foreign)?.contains("belongs to another program") == true)
        let migrated = try direction.target.emptyDatabase()
        _ = try await migrated.open()
        #expect(try await refusal(migrated) == nil)
        let other = try direction.target.emptyDatabase()
        try await Self.interrupt(from: try await Self.filled(direction.source), to: other)
        #expect(try await refusal(other)?.contains("is an unfinished copy of") == true)
    }

    private static func interrupt(from source: TestDatabase, to target: TestDatabase) async throws {
        let interrupted = Interrupted(base: try await target.connect()) { sql, _ in sql.hasPrefix("INSERT INTO session ") }
        let error = try await failure { _ = try await StoreCopy(from: source.connect(), to: interrupted).run() }
        #expect(error?.isInjected == true)
    }

    @Test(arguments: CopyDirection.cycle)
    func `is refused if the original has changed meanwhile`(_ direction: CopyDirection) async throws {
        // A server that ran advances the clock, a command the audit; anything else is found by its
        // checksum.
        for (change, words) in [
            ("UPDATE clock SET mark = mark + 1", "was changed since the copy"),
            ("INSERT INTO audit (position, at, actor, method) VALUES (71, 2, 'a', 'b')", "was changed since the copy"),
        ] {
            let (source, target) = (try await Self.filled(direction.source), try direction.target.emptyDatabase())
            try await Self.interrupt(from: source, to: target)
            try await source.run(change)
            let error = try await failure { _ = try await StoreCopy(from: source.connect(), to: target.connect()).run() }
            #expect(error?.cause?.contains(words) == true, "\(change)")
            #expect(try await failure { _ = try await target.open() } != nil)
        }
    }

    @Test(arguments: CopyDirection.cycle, ["UPDATE account SET display_name = 'x' WHERE id = 'Z'", "DELETE FROM account WHERE id = 'Z'"])
    func `is not released if a table differs in the end`(_ direction: CopyDirection, change: String) async throws {
        let (source, target) = (try await Self.filled(direction.source), try direction.target.emptyDatabase())
        try await Self.interrupt(from: source, to: target)
        try await target.run(change)
        let error = try await failure { _ = try await StoreCopy(from: source.connect(), to: target.connect()).run() }
        #expect(error?.cause?.contains("The table account differs after the copy") == true)
        #expect(try await failure { _ = try await target.open() }?.cause?.contains("unfinished copy") == true)
    }

    /// D7: a file that is read-only, foreign or of a newer schema is refused at start with a
    /// sentence.
    @Test(arguments: CopyDirection.cycle)
    func `is refused from an original with an older schema`(_ direction: CopyDirection) async throws {
        let (source, target) = (try direction.source.emptyDatabase(), try direction.target.emptyDatabase())
        let error = try await failure { _ = try await StoreCopy(from: source.connect(), to: target.connect()).run() }
        #expect(error?.cause?.contains("run `onward migrate` with it first") == true)
        #expect(try await target.contents().isEmpty)
    }
}

@Suite(.temporaryFolder) struct `Pending migrations` {
    /// D8: a migration that was interrupted ends in the same schema when it runs again.
    @Test(arguments: Engine.allCases)
    func `are those that a start would run, and none afterwards`(on engine: Engine) async throws {
        let database = try engine.emptyDatabase()
        let all = Migration.all(in: try await database.connect().dialect)
        let pending = try await Store.pendingMigrations(of: database.connect())
        #expect(pending.map(\.statements) == all.map(\.statements) && pending.map(\.version) == all.map(\.version))
        #expect(try await database.contents().isEmpty)
        _ = try await database.open()
        #expect(try await Store.pendingMigrations(of: database.connect()).isEmpty)
        let later = try await Migration.pending(all + Migration.examples, on: database.connect())
        #expect(later.map(\.version) == [Migration.countOfAll + 1, Migration.countOfAll + 2])
    }

    /// D7: a file that is read-only, foreign or of a newer schema is refused at start with a
    /// sentence.
    @Test(arguments: Engine.allCases)
    func `of another program's database are refused`(on engine: Engine) async throws {
        let database = try engine.emptyDatabase()
        try await database.runAsOther("CREATE TABLE recipe (name TEXT)")
        let error = try await failure { _ = try await Store.pendingMigrations(of: database.connect()) }
        #expect(error?.cause?.contains("belongs to another program") == true)
    }
}
