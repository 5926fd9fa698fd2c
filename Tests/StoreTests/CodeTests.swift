import Accounts
import Base
import Foundation
import Store
import Testing

@Suite(.temporaryFolder) struct `A code` {
    @Test(arguments: Engine.allCases, Action.allCases)
    func `is found as it was written`(on engine: Engine, action: Action) async throws {
        let store = try await engine.store()
        var settings = ActionCodeSettings()
        settings.url = "https://app.example.com/?a=\"b\"&c=/ü"
        settings.handleCodeInApp = true
        let code = StoredCode.sample(.number(1), action, settings: settings)
        try await store.prepare(code)
        #expect(try await store.codes(1, 2) == [code, nil])
    }

    /// The row id alone is not secret.
    @Test(arguments: Engine.allCases)
    func `is found only by its row id and its digest together`(on engine: Engine) async throws {
        let store = try await engine.store()
        let key = CodeKey.number(1)
        try await store.prepare(.sample(key))
        for wrong in [CodeKey(rowID: key.rowID, digest: .number(2)), CodeKey(rowID: key.rowID + 1, digest: key.digest)] {
            let (code, spent) = try await store.transaction({ (records) throws(ActionError) in
                (try records.code(wrong), try records.spend(wrong, of: .resetPassword, in: .shop, at: .noon))
            })
            #expect(code == nil && spent == nil)
        }
    }

    /// C10: a code works only for its project, action, account and address.
    @Test(arguments: Engine.allCases)
    func `is spent for its own action and project only`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare(.sample(.number(1)))
        for (action, project, isSpent) in [
            (Action.verifyEmail, ProjectID.shop, false), (.resetPassword, .blog, false), (.resetPassword, .shop, true),
        ] {
            let spent = try await store.transaction({ (records) throws(ActionError) in
                try records.spend(.number(1), of: action, in: project, at: .noon)
            })
            #expect(spent == (isSpent ? .sample(.number(1)) : nil), "\(action) of \(project)")
        }
    }

    /// Otherwise the code of another process could be overwritten.
    @Test(arguments: Engine.allCases)
    func `refuses a row id that is taken`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare(.sample(.number(1)))
        let other = StoredCode.sample(CodeKey(rowID: CodeKey.number(1).rowID, digest: .number(2)))
        let error = try await failure {
            try await store.transaction({ (records) throws(ActionError) in try records.insert(other) })
        }
        #expect(error?.cause == "not unique: row_id")
        #expect(try await store.codes(1) == [.sample(.number(1))])
    }

    @Test(arguments: Engine.allCases, ["plain", "with \"quotes\" and \\", "ü\u{1F600}\n\u{1}", ""])
    func `keeps every setting, whatever characters it contains`(on engine: Engine, text: String) async throws {
        let store = try await engine.store()
        var settings = ActionCodeSettings()
        for field: WritableKeyPath<ActionCodeSettings, String?> in [
            \.url, \.iOSBundleID, \.iOSAppStoreID, \.androidPackageName, \.androidMinimumVersion, \.linkDomain, \.dynamicLinkDomain,
        ] { settings[keyPath: field] = text }
        (settings.androidInstallIfNotAvailable, settings.handleCodeInApp) = (true, true)
        let codes = [StoredCode.sample(.number(1), settings: settings), .sample(.number(2), .verifyEmail)]
        try await store.prepare(codes[0], codes[1])
        #expect(try await store.codes(1, 2) == codes)
    }

    /// D10: a damaged database gives errors, never a wrong account or a success.
    @Test(arguments: Engine.allCases)
    func `with damaged settings throws`(on engine: Engine) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        try await store.prepare(.sample())
        let whole = #"{"androidInstallIfNotAvailable":false,"handleCodeInApp":true,"url":"https://app.example.com"}"#
        let damaged = (0..<whole.count).map { String(whole.prefix($0)) } + [whole + "}", whole.replacing("true", with: "1"), "[]"]
        for json in damaged {
            try await database.run("UPDATE code SET settings = ?", arguments: [.text(json)])
            #expect(try await failure { _ = try await store.codes(1) }?.cause?.contains("ActionCodeSettings") == true, "\(json)")
        }
        try await database.run("UPDATE code SET settings = ?", arguments: [.text(whole)])
        #expect(try await store.codes(1).first??.settings.url == "https://app.example.com")
    }

    /// C3, D6: with one connection, and with two, as two processes have them.
    @Test(arguments: Engine.allCases, [1, 2])
    func `lets exactly one of a hundred clicks win`(on engine: Engine, connections: Int) async throws {
        let database = try await engine.database()
        var stores: [Store] = []
        for _ in 0..<connections { stores.append(try await database.open()) }
        try await stores[0].prepare(.sample())
        let winners = try await withThrowingTaskGroup(of: Int?.self) { clicks in
            for click in 0..<100 {
                let store = stores[click % connections]
                clicks.addTask { try await store.click(click) }
            }
            return try await clicks.reduce(into: [Int]()) { if let winner = $1 { $0.append(winner) } }
        }
        #expect(winners.count == 1)
        let name = try await stores[0].read { (records) throws(ActionError) in try records.account(.ada, in: .shop)?.displayName }
        #expect(name == winners.first.map(String.init))
    }

    /// C13: it counts the wrong numbers, and ends with the last. A code that ended stays as it is.
    @Test(arguments: Engine.allCases)
    func `is withdrawn when no wrong confirmation numbers are left`(on engine: Engine) async throws {
        let store = try await engine.store()
        let other = StoredCode.sample(.number(2), .verifyEmail, mailHasNumber: true)
        try await store.prepare(.sample(.number(1), mailHasNumber: true), other)
        for (left, end) in [(4, nil), (0, StoredCode.EndReason.withdrawn), (5, .withdrawn)] {
            try await store.transaction({ (records) throws(ActionError) in
                try records.setWrongNumbersLeft(left, of: .number(1), at: .noon)
            })
            let codes = try await store.codes(1, 2)
            #expect(codes[0]?.wrongNumbersLeft == (end == nil ? left : 0) && codes[0]?.end == end)
            #expect(codes[0]?.endedAt == end.map { _ in .noon })
            #expect(codes[1] == other)
        }
    }

    /// C8: equality counts as expired.
    @Test(arguments: Engine.allCases, [(-1, true), (0, false), (1, false)])
    func `can be spent until it expires, and not at that moment`(on engine: Engine, after: (milliseconds: Int, isSpent: Bool)) async throws
    {
        let store = try await engine.store()
        let code = StoredCode.sample()
        try await store.prepare(code)
        #expect(try await store.spend(1, at: code.expiresAt + .milliseconds(after.milliseconds)) == after.isSpent)
        #expect(try await store.codes(1).first??.end == (after.isSpent ? .used : nil))
    }

    /// C5: a used code stays used.
    @Test(arguments: Engine.allCases)
    func `stays spent when the clock is set back and after a restart`(on engine: Engine) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        try await store.prepare(.sample())
        #expect(try await store.spend(1, at: .noon))
        #expect(try await store.spend(1, at: .noon + .seconds(-3600)) == false)
        #expect(try await database.open().spend(1, at: .noon) == false)
        let code = try await store.codes(1).first ?? nil
        #expect(code?.end == .used)
        #expect(code?.endedAt == .noon)
    }

    /// C11: several codes of one purpose may be live, and the first success withdraws the others.
    /// C12: a change of password or address ends the account's codes, except for links that undo.
    /// V7: also expired ones, so that a clock that is set back revives none.
    @Test(arguments: Engine.allCases)
    func `a code is withdrawn by account and action, if it has not ended`(on engine: Engine) async throws {
        let store = try await engine.store()
        let early = Timestamp.noon + .seconds(-60)
        try await store.prepare(
            .sample(.number(1)), .sample(.number(2), .verifyEmail), .sample(.number(3), .recoverEmail), .sample(.number(4), of: .bob),
            .sample(.number(5), madeAt: early), .sample(.number(6), lasting: .seconds(1)), .sample(.number(7)))
        #expect(try await store.spend(7, at: .noon))
        let later = Timestamp.noon + .seconds(1)
        try await store.transaction({ (records) throws(ActionError) in
            try records.withdrawCodes(of: .ada, in: .shop, for: [.resetPassword, .verifyEmail], at: later)
        })
        let codes = try await store.codes(1, 2, 3, 4, 5, 6, 7)
        #expect(codes.map { $0?.end } == [.withdrawn, .withdrawn, nil, nil, .withdrawn, .withdrawn, .used])
        #expect(codes.map { $0?.endedAt } == [later, later, nil, nil, later, later, .noon])
        #expect(try await store.spend(1, at: later) == false)
    }

    /// C11: whichever of the three is spent; V7: also one that had expired before they were made.
    @Test(arguments: Engine.allCases, [1, 2, 3])
    func `a code withdraws its siblings when it is spent, and no other codes`(on engine: Engine, spent: Int) async throws {
        let store = try await engine.store()
        let later = Timestamp.noon + .seconds(5)
        try await store.prepare(
            .sample(.number(0), madeAt: .noon + .seconds(-9), lasting: .seconds(5)), .sample(.number(1)),
            .sample(.number(2), madeAt: .noon + .seconds(1)),
            .sample(.number(3), madeAt: .noon + .seconds(2)), .sample(.number(4), .verifyEmail), .sample(.number(5), of: .bob, email: .bob))
        try await store.transaction({ (records) throws(ActionError) in
            guard let code = try records.spend(.number(spent), at: later) else { return }
            try records.withdrawOthers(like: code, at: later)
        })
        let expected: [StoredCode.EndReason?] = [.withdrawn, .withdrawn, .withdrawn, .withdrawn, nil, nil].enumerated().map {
            $0 == spent ? .used : $1
        }
        #expect(try await store.codes(0, 1, 2, 3, 4, 5).map { $0?.end } == expected)
    }

    @Test(arguments: Engine.allCases)
    func `is found with the time of its newest live sibling`(on engine: Engine) async throws {
        let store = try await engine.store()
        let moments = (0..<5).map { Timestamp.noon + .seconds($0) }
        // Concurrent requests may insert their codes in either order.
        try await store.prepare(
            .sample(.number(2), madeAt: moments[2], lasting: .seconds(8)), .sample(.number(0), madeAt: moments[0]),
            .sample(.number(3), .verifyEmail, madeAt: moments[3]), .sample(.number(4), of: .bob, email: .bob, madeAt: moments[4]),
            .sample(.number(1), madeAt: moments[1]))
        func newer(at now: Timestamp) async throws -> Timestamp? {
            try await store.read({ (records) throws(ActionError) in
                try records.codeAndNewer(.number(0), at: now)?.newer
            })
        }
        #expect(try await newer(at: .noon + .seconds(9)) == moments[2])
        #expect(try await newer(at: .noon + .seconds(10)) == moments[1])
        #expect(try await store.spend(1, at: .noon + .seconds(10)))
        #expect(try await newer(at: .noon + .seconds(10)) == nil)
    }

    /// C2: looks into every file of the database, the write-ahead log and the shared memory too.
    @Test(arguments: Engine.allCases)
    func `is not on the disk in plain text`(on engine: Engine) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        let code = try #require(OobCode(Base64URL.encode((0..<32).map { UInt8($0) &* 7 &+ 65 })))
        let key = code.key(by: Secrets(root: Array(repeating: 7, count: 32)))
        try await store.prepare(.sample(key))
        let bytes = try database.bytesOnDisk()
        #expect(bytes.range(of: Data(key.digest.bytes)) != nil, "the search sees what is stored")
        #expect(bytes.range(of: Data(code.text.utf8)) == nil)
        #expect(bytes.range(of: Data(try #require(Base64URL.decode(code.text)))) == nil)
    }

    /// C17: ended codes are purged in small batches, `codeRetention` after they would have expired.
    @Test(arguments: Engine.allCases)
    func `is purged some time after it expired, used or not, in batches`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await store.prepare(
            .sample(.number(1), lasting: .seconds(10)), .sample(.number(2), lasting: .seconds(20)),
            .sample(.number(3), lasting: .seconds(30)), .sample(.number(4), lasting: .seconds(15)), .sample(.number(5)))
        #expect(try await store.spend(4, at: .noon + .seconds(5)))
        #expect(try await store.purgeCodes(expiredBefore: .noon + .seconds(30), limit: 2) == 2)
        #expect(try await store.codes(1, 2, 3, 4, 5).map { $0 == nil } == [true, false, false, true, false])
        #expect(try await store.purgeCodes(expiredBefore: .noon + .seconds(30), limit: 2) == 1)
        #expect(try await store.codes(1, 2, 3, 4, 5).map { $0 == nil } == [true, true, false, true, false])
    }
}

extension Store {
    /// Spends code 1 and stores `number` as the account's name.
    fileprivate func click(_ number: Int) async throws(ActionError) -> Int? {
        try await transaction({ (records) throws(ActionError) -> Int? in
            guard try records.spend(.number(1), at: .noon) != nil, var account = try records.account(.ada, in: .shop) else { return nil }
            account.displayName = "\(number)"
            try records.update(account)
            return number
        })
    }
}
