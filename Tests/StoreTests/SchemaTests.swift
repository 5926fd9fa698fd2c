import Accounts
import EmailActions
@testable import Store
import Testing

@Suite(.temporaryFolder) struct `The schema` {
    /// D8
    @Test(arguments: Engine.allCases)
    func `is made once and kept`(on engine: Engine) async throws {
        let database = try engine.database()
        try await database.open().prepare(.sample())
        let before = try await database.contents()
        _ = try await database.open()
        #expect(try await database.contents() == before)
    }

    /// D8: fails the n-th statement, until there is none, and tries again.
    @Test(arguments: Engine.allCases)
    func `is made whole after being interrupted at any statement`(on engine: Engine) async throws {
        let whole = try engine.database()
        _ = try await whole.open()
        let expected = try await whole.contents()
        var stages: [Int: [String: [SQLRow]]] = [0: [:]]
        var statement = 1
        while true {
            let database = try engine.database()
            let error = try await failure { _ = try await Store.open(Failing(base: database.connect(), statement: statement)) }
            if error != nil {
                // As many migrations as are recorded, whole, and nothing of the next.
                let left = try await database.contents()
                let count = left["migration"]?.count ?? 0
                #expect(left == stages[count, default: left])
                stages[count] = left
            }
            _ = try await database.open()
            #expect(try await database.contents() == expected)
            guard error != nil else { break }
            statement += 1
        }
        #expect(statement > 10)
    }

    /// D8: links that were mailed before codes told their places.
    @Test(arguments: Engine.allCases)
    func `keeps codes of before, each of which is found and spent as ever`(on engine: Engine) async throws {
        let database = try engine.database()
        try await database.make(schema: 4)
        let secrets = Secrets(root: Array(repeating: 7, count: 32))
        let keys = try (0..<3).map { try #require(OobCode(Base64URL.encode(Array(repeating: UInt8($0), count: 32)))).key(by: secrets) }
        for (number, key) in keys.enumerated() {
            try await database.run(
                """
                INSERT INTO code (digest, project, action, account, email, settings, created_at, expires_at)
                VALUES (?, 'shop', 'resetPassword', 'ada', 'ada@example.com',
                    '{"androidInstallIfNotAvailable":false,"handleCodeInApp":false}', ?, ?)
                """,
                arguments: [.blob(key.digest.bytes), .integer(Int64(100 - number)), .integer(9_000_000_000_000)])
        }
        let store = try await database.open()
        for (number, key) in keys.enumerated() {
            let found = try await store.read(actions: { (records) throws(ActionError) in try records.codeAndNewer(key, at: .noon) })
            #expect(found?.code.createdAt == Timestamp(milliseconds: Int64(100 - number)))
            #expect(found?.newer == (number == 0 ? nil : Timestamp(milliseconds: 100)))
            let code = try #require(found?.code)
            #expect(code.key.rowID < 0 && code.key.digest == key.digest)
            for isFirst in [true, false] {
                let isSpent = try await store.transaction(actions: { (records) throws(ActionError) in
                    try records.spend(code.key, at: .noon) != nil
                })
                #expect(isSpent == isFirst)
            }
            try await database.run("UPDATE code SET ending = NULL, ended_at = NULL")
        }
        let new = StoredCode.sample(.number(1), .signIn)
        try await store.transaction(actions: { (records) throws(ActionError) in try records.insert(new) })
        #expect(try await store.codes(1) == [new])
    }

    /// C11, D8: where only the older of two knew of the other.
    @Test(arguments: Engine.allCases, [(0, 1), (1, 0)])
    func `tells codes of before of each other`(on engine: Engine, codes: (spent: Int, other: Int)) async throws {
        let database = try engine.database()
        try await database.make(schema: 5)
        for number in 0..<2 {
            try await database.run(
                """
                INSERT INTO code (row_id, digest, project, action, account, email, settings, created_at, expires_at, has_newer)
                VALUES (?, ?, 'shop', 'verifyEmail', 'ada', 'ada@example.com',
                    '{"androidInstallIfNotAvailable":false,"handleCodeInApp":false}', ?, ?, ?)
                """,
                arguments: [
                    .integer(CodeKey.number(number).rowID), .blob(CodeKey.number(number).digest.bytes), .integer(Int64(number)),
                    .integer(9_000_000_000_000), .integer(number == 0 ? 1 : 0),
                ])
        }
        let store = try await database.open()
        try await store.transaction(actions: { (records) throws(ActionError) in
            guard let code = try records.spend(.number(codes.spent), at: .noon) else { return }
            try records.withdrawOthers(like: code, at: .noon)
        })
        #expect(try await store.codes(codes.spent, codes.other).map { $0?.end } == [.used, .withdrawn])
    }

    /// D8
    @Test(arguments: Engine.allCases)
    func `is made once by many who start together`(on engine: Engine) async throws {
        let database = try engine.database()
        try await withThrowingTaskGroup(of: Void.self) { starts in
            for _ in 0..<8 { starts.addTask { _ = try await database.open() } }
            try await starts.waitForAll()
        }
        #expect(try await database.contents()["migration"]?.count == Migration.all(in: database.connect().dialect).count)
    }

    /// D7, D8
    @Test(
        arguments: Engine.allCases,
        [
            ("INSERT INTO migration (version, checksum) VALUES (99, 1)", "newer"),
            ("UPDATE migration SET checksum = checksum + 1", "another Onward"),
        ])
    func `of a newer or another Onward is refused`(on engine: Engine, change: (sql: String, words: String)) async throws {
        let database = try engine.database()
        _ = try await database.open()
        try await database.run(change.sql)
        let error = try await failure { _ = try await database.open() }
        #expect(error?.cause?.contains(change.words) == true)
    }

    /// D7
    @Test(arguments: Engine.allCases)
    func `of another program is refused and left alone`(on engine: Engine) async throws {
        let database = try engine.database()
        try await database.run("CREATE TABLE recipe (name TEXT)")
        let error = try await failure { _ = try await database.open() }
        #expect(error?.cause?.contains("another program") == true)
        #expect(try await database.contents() == ["recipe": []])
    }

    /// Each breaks one rule; with the value that it should have, each is taken.
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
    func `holds its rules by itself`(on engine: Engine, rule: (sql: String, bad: String, good: String)) async throws {
        let database = try engine.database()
        try await database.open().prepare(.sample())
        #expect(try await failure { try await database.run(rule.sql.replacing("$", with: rule.bad)) }?.cause != nil)
        try await database.run(rule.sql.replacing("$", with: rule.good))
    }

    @Test(arguments: Engine.allCases, ["session", "second_factor", "code"])
    func `has nothing that hangs on no account`(on engine: Engine, table: String) async throws {
        let store = try await engine.store()
        let error = try await failure {
            try await store.transaction(actions: { (records) throws(ActionError) in
                switch table {
                case "session": try records.insert(Session.sample())
                case "code": try records.insert(StoredCode.sample())
                default: try records.insert(SecondFactor(id: "1", kind: .totp, enrolledAt: .noon), of: .ada, in: .shop)
                }
            })
        }
        #expect(error?.cause != nil)
    }

    /// No engine keeps NUL in a text whole: cut short, it could name another account.
    @Test(arguments: Engine.allCases)
    func `has no text with NUL, which is the caller's fault`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare()
        let id = AccountID(rawValue: "ada\u{0}x")
        #expect(try await failure { _ = try await store.account(id) }?.refusal == .invalidArgument)
        let error = try await failure {
            try await store.transaction { (records: any AccountRecords) throws(ActionError) in try records.insert(.sample(id, email: nil)) }
        }
        #expect(error?.refusal == .invalidArgument)
    }

    @Test(arguments: Engine.allCases, [31, 33])
    func `takes digests of 32 bytes only`(on engine: Engine, count: Int) async throws {
        let store = try await engine.store()
        let digest = Digest(bytes: Array(repeating: 1, count: count))
        #expect(try await failure { try await store.prepare(.sample(CodeKey(rowID: 1, digest: digest))) }?.cause != nil)
    }

    @Test(arguments: Engine.allCases)
    func `lets only a sign-in link be without an account`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare(.sample(.number(1), .signIn, of: nil))
        #expect(try await failure { try await engine.store().prepare(.sample(.number(1), .verifyEmail, of: nil)) }?.cause != nil)
    }

    /// D10: a column that another program damaged is an error, not a guess.
    @Test(arguments: Engine.allCases)
    func `that was damaged gives errors, not answers`(on engine: Engine) async throws {
        let database = try engine.database()
        let store = try await database.open()
        try await store.prepare(.sample())
        try await database.run("UPDATE code SET settings = 'x'", "UPDATE account SET email = 'no address' WHERE id = 'ada'")
        #expect(try await failure { _ = try await store.codes(1) }?.cause != nil)
        #expect(try await failure { _ = try await store.account(.ada) }?.cause != nil)
    }
}

extension TestDatabase {
    /// As an older Onward would have left it, with Ada's account.
    fileprivate func make(schema version: Int) async throws {
        let dialect = try connect().dialect
        try await run("CREATE TABLE migration (version \(dialect.integer) PRIMARY KEY, checksum \(dialect.integer))\(dialect.table)")
        for migration in Migration.all(in: dialect).prefix(version) {
            for statement in migration.statements { try await run(statement) }
            try await run("INSERT INTO migration VALUES (\(migration.version), \(migration.checksum))")
        }
        try await run(
            """
            INSERT INTO account (project, id, email, email_verified, valid_since, disabled, created_at, email_link_sign_in)
            VALUES ('shop', 'ada', 'ada@example.com', 0, 0, 0, 0, 0)
            """)
    }
}
