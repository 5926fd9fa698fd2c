import Accounts
import Testing
@testable import Store

@Suite(.temporaryFolder) struct `The schema` {
    /// D8: a migration that was interrupted ends in the same schema when it runs again.
    @Test(arguments: Engine.allCases)
    func `is created once and kept`(on engine: Engine) async throws {
        let database = try engine.emptyDatabase()
        try await database.open().prepare(.sample())
        let before = try await database.contents()
        _ = try await database.open()
        #expect(try await database.contents() == before)
    }

    /// D8: fails each statement of each migration, one after another.
    @Test(arguments: Engine.allCases)
    func `the schema is created whole after an interruption at any statement`(on engine: Engine) async throws {
        let (whole, database) = (try engine.emptyDatabase(), try engine.emptyDatabase())
        try await whole.migrate(adding: Migration.examples)
        for version in 1...Migration.countOfAll + Migration.examples.count {
            let before = try await database.contents()
            var statement = 1
            while try await failure({ try await database.migrate(adding: Migration.examples, to: version, failingAt: statement) }) != nil {
                #expect(try await database.contents() == before, "\(version), \(statement)")
                statement += 1
            }
            // Three of them only look at what is there.
            #expect(statement > 3)
            #expect(try await database.contents()["migration"]?.count == version)
        }
        #expect(try await database.contents() == (try await whole.contents()))
    }

    /// D8: a migration that was interrupted ends in the same schema when it runs again.
    @Test(arguments: Engine.allCases)
    func `is migrated with the rows that it holds`(on engine: Engine) async throws {
        let database = try engine.emptyDatabase()
        try await database.migrate(adding: Array(Migration.examples.prefix(1)))
        try await database.run("INSERT INTO recipe (name) VALUES ('soup')")
        try await database.migrate(adding: Migration.examples)
        #expect(try await database.contents()["recipe"] == [SQLRow([.text("soup"), .integer(4)])])
        // Each migration runs once.
        try await database.migrate(adding: Migration.examples)
        #expect(try await database.contents()["migration"]?.count == Migration.countOfAll + 2)
    }

    /// D8: a migration that was interrupted ends in the same schema when it runs again.
    @Test(arguments: Engine.allCases)
    func `is created once by many processes that start together`(on engine: Engine) async throws {
        let database = try engine.emptyDatabase()
        try await withThrowingTaskGroup(of: Void.self) { starts in
            for _ in 0..<8 { starts.addTask { _ = try await database.open() } }
            try await starts.waitForAll()
        }
        #expect(try await database.contents()["migration"]?.count == Migration.all(in: try await database.connect().dialect).count)
    }

    /// D7: a file that is read-only, foreign or of a newer schema is refused at start with a
    /// sentence. D8: a migration that was interrupted ends in the same schema when it runs again.
    @Test(
        arguments: Engine.allCases,
        [
            ("INSERT INTO migration (version, checksum) VALUES (99, 1)", "run a newer Onward"),
            ("UPDATE migration SET checksum = checksum + 1 WHERE version = 2", "another Onward"),
            ("UPDATE migration SET checksum = checksum + 1 WHERE version = 1", "a development version of Onward from before 0.1.0"),
        ])
    func `of a newer, another or a development version is refused`(on engine: Engine, change: (sql: String, words: String)) async throws {
        let database = try engine.emptyDatabase()
        try await database.migrate(adding: Migration.examples)
        try await database.run(change.sql)
        let error = try await failure { try await database.migrate(adding: Migration.examples) }
        #expect(error?.cause?.contains(change.words) == true)
        #expect(error?.cause?.contains(try await database.connect().name) == true)
    }

    /// The six migrations that existed before 0.1.0. The first had this checksum.
    @Test(arguments: Engine.allCases)
    func `from before the first release is refused in a sentence of its own, and left alone`(on engine: Engine) async throws {
        let database = try engine.emptyDatabase()
        try await database.runAsOther("CREATE TABLE migration (version BIGINT PRIMARY KEY, checksum BIGINT NOT NULL)")
        for version in 1...6 {
            try await database.runAsOther("INSERT INTO migration VALUES (\(version), \(-2_393_636_586_345_291_420 - 1 + version))")
        }
        let before = try await database.contents()
        let error = try await failure { _ = try await database.open() }
        #expect(error?.cause?.contains("a development version of Onward from before 0.1.0") == true)
        #expect(error?.cause?.contains(try await database.connect().dialect.adviceForEmptyDatabase) == true)
        #expect(try await database.contents() == before)
    }

    /// D7: a file that is read-only, foreign or of a newer schema is refused at start with a
    /// sentence.
    @Test(arguments: Engine.allCases)
    func `of another program is refused, and left alone`(on engine: Engine) async throws {
        let database = try engine.emptyDatabase()
        try await database.runAsOther("CREATE TABLE recipe (name TEXT)")
        let error = try await failure { _ = try await database.open() }
        #expect(error?.cause?.contains("belongs to another program") == true)
        #expect(try await database.contents() == ["recipe": []])
    }

    /// Each statement breaks one rule with the bad value, and none with the good one.
    @Test(
        arguments: Engine.allCases,
        [
            ("UPDATE account SET email = '$' WHERE id = 'bob'", "Carol@example.com", "carol@example.com"),
            ("UPDATE account SET initial_email = '$' WHERE id = 'bob'", "Carol@example.com", "carol@example.com"),
            ("UPDATE account SET id = '$' WHERE id = 'bob'", "", "carol"),
            ("UPDATE account SET email_verified = '$'", "2", "1"),
            ("UPDATE account SET valid_since = '$'", "-1", "1000"),
            ("UPDATE account SET disabled = '$'", "yes", "1"),
            ("UPDATE account SET email_link_sign_in = '$'", "-1", "0"),
            ("UPDATE code SET action = '$'", "payBill", "verifyEmail"),
            ("UPDATE code SET action = '$'", "verifyAndChangeEmail", "signIn"),
            ("UPDATE code SET action = '$'", "revertSecondFactorAddition", "recoverEmail"),
            ("UPDATE code SET ended_at = 1, ending = '$'", "lost", "used"),
            ("UPDATE code SET ending = 'used', $", "language = 'de'", "ended_at = 1"),
            ("UPDATE code SET ended_at = 1, $", "language = 'de'", "ending = 'withdrawn'"),
            ("UPDATE code SET account = '$'", "nobody", "bob"),
            ("UPDATE code SET expires_at = '$'", "1", "9000000000000"),
            ("UPDATE code SET email = '$'", "Ada@example.com", "carol@example.com"),
        ])
    func `enforces its rules without the code above it`(on engine: Engine, rule: (sql: String, bad: String, good: String)) async throws {
        let database = try await engine.database()
        try await database.open().prepare(.sample())
        #expect(try await failure { try await database.run(rule.sql.replacing("$", with: rule.bad)) }?.cause != nil)
        try await database.run(rule.sql.replacing("$", with: rule.good))
    }

    @Test(arguments: Engine.allCases, ["session", "second_factor", "code"])
    func `refuses rows whose account is missing`(on engine: Engine, table: String) async throws {
        let store = try await engine.store()
        let error = try await failure {
            try await store.transaction({ (records) throws(ActionError) in
                switch table {
                case "session": try records.insert(RefreshTokenRecord.sample())
                case "code": try records.insert(StoredCode.sample())
                default: try records.insert(SecondFactor(id: "1", kind: .phone, enrolledAt: .noon), of: .ada, in: .shop, byAdmin: false)
                }
            })
        }
        #expect(error?.cause != nil)
    }

    /// Engines cut a text short at NUL, so that it could name another account.
    @Test(arguments: Engine.allCases)
    func `refuses a text that contains NUL as an invalid argument`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        let id = AccountID(rawValue: "ada\u{0}x")
        #expect(try await failure { _ = try await store.account(id) }?.refusal == .invalidArgument)
        let error = try await failure {
            try await store.transaction { (records) throws(ActionError) in try records.insert(.sample(id, email: nil)) }
        }
        #expect(error?.refusal == .invalidArgument)
    }

    @Test(arguments: Engine.allCases, [32, 34])
    func `accepts digests of 33 bytes only`(on engine: Engine, count: Int) async throws {
        let store = try await engine.store()
        let digest = Digest(bytes: Array(repeating: 1, count: count))
        #expect(try await failure { try await store.prepare(.sample(CodeKey(rowID: 1, digest: digest))) }?.cause != nil)
    }

    @Test(arguments: Engine.allCases)
    func `allows only a sign-in code without an account`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare(.sample(.number(1), .signIn, of: nil))
        #expect(try await failure { try await engine.store().prepare(.sample(.number(1), .verifyEmail, of: nil)) }?.cause != nil)
    }

    /// D10: a damaged database gives errors, never a wrong account or a success.
    @Test(arguments: Engine.allCases)
    func `with a damaged column throws instead of returning it`(on engine: Engine) async throws {
        let database = try engine.emptyDatabase()
        let store = try await database.open()
        try await store.prepare(.sample())
        try await database.run("UPDATE code SET settings = 'x'", "UPDATE account SET email = 'no address' WHERE id = 'ada'")
        #expect(try await failure { _ = try await store.codes(1) }?.cause != nil)
        #expect(try await failure { _ = try await store.account(.ada) }?.cause != nil)
    }
}

extension Migration {
    /// The number of migrations of this version of Onward.
    static let countOfAll = 10

    /// Migrations of a later version of Onward.
    static let examples = [
        Migration(version: countOfAll + 1, statements: ["CREATE TABLE recipe (name TEXT NOT NULL PRIMARY KEY)"]),
        Migration(
            version: countOfAll + 2,
            statements: [
                "ALTER TABLE recipe ADD COLUMN servings INTEGER NOT NULL DEFAULT 4", "CREATE INDEX recipe_by_servings ON recipe (servings)",
            ]),
    ]
}

extension TestDatabase {
    /// Runs this version's migrations, and then `added`.
    /// - Parameters:
    ///   - version: the last of them to run; nil: all do.
    ///   - statement: fails in each transaction; nil: none.
    func migrate(adding added: [Migration], to version: Int? = nil, failingAt statement: Int? = nil) async throws {
        let database = try await connect()
        let migrations = (Migration.all(in: database.dialect) + added).filter { $0.version <= version ?? .max }
        try await Migration.run(migrations, on: statement.map { Failing(base: database, statement: $0) } ?? database)
    }
}
