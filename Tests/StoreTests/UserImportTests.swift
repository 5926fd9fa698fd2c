import Accounts
import Base
import Network
import Testing
@testable import Store

@Suite(.temporaryFolder) struct `An import of users` {
    static let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
    static let passwords = Passwords(
        workerPool: WorkerPool(label: "test", width: 1, maxWaiting: 1), cost: .cheap, secrets: secrets,
        random: { [UInt8](repeating: 1, count: $0) })

    static func imports(_ store: Store) -> UserImport {
        UserImport(store: store, passwords: passwords, now: { .noon + .seconds(9) }, random: System.random)
    }

    static func user(_ id: String, email: String? = nil, _ change: (inout ImportedUser) -> Void = { _ in }) -> ImportedUser {
        var user = ImportedUser(.sample(AccountID(rawValue: id), email: email.flatMap { EmailAddress($0) }))
        change(&user)
        return user
    }

    /// With the account of Ada, who has sessions, and that of Bob.
    static func fill(_ store: Store) async throws {
        try await store.prepare(.sample(), .sample(.number(2), .recoverEmail), .sample(.number(3), .signIn, of: nil))
        try await store.transaction { (records) throws(ActionError) in
            try records.insert(RefreshTokenRecord.sample())
            try records.insert(LinkedProvider(provider: "google.com", rawID: "ada"), of: .ada, in: .shop, at: .noon)
            try records.insert(SecondFactor(id: "1", kind: .totp, sealedKey: [1], enrolledAt: .noon), of: .ada, in: .shop, byAdmin: false)
        }
    }

    @Test(arguments: Engine.allCases)
    func `inserts everything that belongs to an account`(on engine: Engine) async throws {
        let store = try await engine.store()
        let link = LinkedProvider(provider: "google.com", rawID: "1", email: "a@gmail.example", displayName: "A", photoURL: "https://a")
        let factor = SecondFactor(id: "f", kind: .phone, displayName: "Work", phoneNumber: "+15550100", enrolledAt: .noon)
        let complete = Account.complete
        var user = ImportedUser(complete)
        (user.linkedProviders, user.secondFactors) = ([link], [factor])
        #expect(try await Self.imports(store).take([.success(user)], hashedBy: nil, existing: .overwrite) == [.added])
        let found = try #require(try await store.profiles(Accounts.PageRequest(limit: 9), in: .shop).first)
        // Sessions are valid from the import on, whatever the file contains.
        var expected = complete
        expected.validSince = .noon + .seconds(9)
        #expect(found.account == expected)
        #expect(found.linkedProviders == [link])
        #expect(found.secondFactors == [factor])
    }

    @Test(arguments: Engine.allCases)
    func `goes on after a bad row`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await Self.fill(store)
        let phone = PhoneNumber("+15550100")
        let rows: [UserImport.Row] = [
            .success(Self.user("1", email: "one@example.com") { $0.account.phoneNumber = phone }),
            .failure(.refused(.invalidEmail, detail: "email is invalid")),
            .success(Self.user("2", email: "ada@example.com")),
            .success(Self.user("3") { $0.account.phoneNumber = phone }),
            .success(Self.user("4") { $0.linkedProviders = [LinkedProvider(provider: "google.com", rawID: "ada")] }),
            .success(Self.user("5") { $0.password = .init(hash: [1], salt: []) }),
            .success(Self.user("6")),
        ]
        let verdicts = try await Self.imports(store).take(rows, hashedBy: nil, existing: .overwrite)
        #expect(
            verdicts.map(\.refusal) == [
                nil, .invalidEmail, .emailExists, .phoneNumberExists, .federatedUserIDAlreadyLinked, .missingHashAlgorithm, nil,
            ])
        #expect(try await store.countAccounts(in: .shop) == 4)
        // A rehearsal has the same results, except for the phone number that two rows share.
        let again = try await engine.store()
        try await Self.fill(again)
        let rehearsed = try await Self.imports(again).rehearse(rows, hashedBy: nil, existing: .overwrite)
        #expect(rehearsed.map(\.refusal) == verdicts.map { $0.refusal == .phoneNumberExists ? nil : $0.refusal })
        #expect(try await again.countAccounts(in: .shop) == 2)
    }

    /// S6, C12: no code or token that was issued before works afterwards.
    @Test(arguments: Engine.allCases)
    func `replaces every field of an existing account`(on engine: Engine) async throws {
        let store = try await engine.store()
        try await Self.fill(store)
        let before = try #require(try await store.account(.ada))
        let verdicts = try await Self.imports(store).take(
            [.success(Self.user("ada", email: "new@example.com"))], hashedBy: nil, existing: .overwrite)
        #expect(verdicts == [.overwritten])
        let after = try #require(try await store.profiles(Accounts.PageRequest(limit: 1), in: .shop).first)
        #expect(after.account.email == EmailAddress("new@example.com"))
        #expect(after.account.validSince > before.validSince)
        #expect(after.linkedProviders.isEmpty && after.secondFactors.isEmpty)
        let session = try await store.read { (records) throws(ActionError) in try records.session(.number(1)) }
        #expect(session == nil)
        for number in 1...3 { #expect(try await !store.spend(number, at: .noon + .seconds(10)), "code \(number)") }
    }

    @Test(arguments: Engine.allCases, [(UserImport.Existing.skip, UserImport.Verdict.skipped.refusal), (.refuse, .duplicateLocalID)])
    func `leaves existing accounts as they are if that is requested`(
        on engine: Engine, told: (existing: UserImport.Existing, refusal: Refusal?)
    ) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        try await Self.fill(store)
        let before = try await database.contents()
        let verdicts = try await Self.imports(store).take(
            [.success(Self.user("ada", email: "new@example.com"))], hashedBy: nil, existing: told.existing)
        #expect(verdicts.map(\.refusal) == [told.refusal])
        #expect(try await database.contents() == before)
    }

    /// D3: whichever statement fails, existing accounts are unchanged and no account is incomplete.
    @Test(arguments: Engine.allCases, 1...12)
    func `leaves no incomplete account when a statement fails`(on engine: Engine, statement: Int) async throws {
        let database = try await engine.database()
        let store = try await database.open()
        try await Self.fill(store)
        let before = try await database.contents()
        let broken = Store(database: Failing(base: try await database.connect(), statement: statement))
        let row = Self.user("ada", email: "new@example.com") { $0.linkedProviders = [LinkedProvider(provider: "github.com", rawID: "1")] }
        let error = try await failure {
            let verdicts = try await Self.imports(broken).take([.success(row)], hashedBy: nil, existing: .overwrite)
            #expect(verdicts == [.overwritten])
        }
        let after = try await database.contents()
        #expect((after == before) == (error != nil))
    }

    @Test(arguments: Engine.allCases)
    func `inserts more rows than one transaction holds, and can be repeated`(on engine: Engine) async throws {
        let store = try await engine.store()
        let rows = (0..<250).map { UserImport.Row.success(Self.user("\($0)", email: "\($0)@example.com")) }
        #expect(try await Self.imports(store).take(rows, hashedBy: nil, existing: .skip) == Array(repeating: .added, count: 250))
        #expect(try await Self.imports(store).take(rows, hashedBy: nil, existing: .skip) == Array(repeating: .skipped, count: 250))
        #expect(try await Self.imports(store).take(rows, hashedBy: nil, existing: .overwrite) == Array(repeating: .overwritten, count: 250))
        #expect(try await store.countAccounts(in: .shop) == 250)
    }

    @Test(arguments: Engine.allCases)
    func `keeps password hashes as they are`(on engine: Engine) async throws {
        let store = try await engine.store()
        var fields = HashScheme.Parameters(hashAlgorithm: "SHA256")
        fields.numbers[.rounds] = 1
        let scheme = try HashScheme(fields)
        // sha256 of "salt" and "password".
        let hash: [UInt8] = [
            0x13, 0x60, 0x1b, 0xda, 0x4e, 0xa7, 0x8e, 0x55, 0xa0, 0x7b, 0x98, 0x86, 0x6d, 0x2b, 0xe6, 0xbe, 0x07, 0x44, 0xe3, 0x86, 0x6f,
            0x13, 0xc0, 0x0c, 0x81, 0x1c, 0xab, 0x60, 0x8a, 0x28, 0xf3, 0x22,
        ]
        let row = Self.user("1") { $0.password = .init(hash: hash, salt: Array("salt".utf8)) }
        #expect(try await Self.imports(store).take([.success(row)], hashedBy: scheme, existing: .refuse) == [.added])
        let stored = try #require(try await store.account(AccountID(rawValue: "1")))
        #expect(stored.passwordUpdatedAt == .noon + .seconds(9))
        #expect(try await Self.passwords.verify("password", against: stored.passwordHash))
        let out = try #require(Self.passwords.exported(stored.passwordHash ?? ""))
        #expect(out.hash == hash && out.salt == Array("salt".utf8) && out.scheme == scheme)
    }

    @Test(arguments: Engine.allCases)
    func `can be undone by deleting many accounts at once`(on engine: Engine) async throws {
        let store = try await engine.store()
        let rows = (0..<250).map { number in
            UserImport.Row.success(Self.user("\(number)") { $0.account.disabled = number % 2 == 0 })
        }
        _ = try await Self.imports(store).take(rows, hashedBy: nil, existing: .skip)
        let ids = (0..<260).map { AccountID(rawValue: "\($0)") }
        let kept = try await store.erasure.delete(ids, force: false, in: .shop)
        #expect(kept == (0..<250).filter { $0 % 2 == 1 })
        #expect(try await store.erasure.delete(ids, force: true, in: .blog).isEmpty)
        #expect(try await store.countAccounts(in: .shop) == 125)
        #expect(try await store.erasure.delete(ids, force: true, in: .shop).isEmpty)
        #expect(try await store.countAccounts(in: .shop) == 0)
    }
}

extension UserImport.Verdict {
    var refusal: Refusal? {
        switch self {
        case .refused(let refusal, _): refusal
        case .added, .overwritten, .skipped: nil
        }
    }
}
