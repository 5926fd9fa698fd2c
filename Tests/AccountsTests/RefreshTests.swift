import Accounts
import Base
import Store
import Testing
import World

/// A user with a session, and the refresh tokens that clients send in any order; see decision 7.
private struct Visit {
    let world: World
    let accounts: Accounts
    let account: Account
    let first: String

    init(counted: Counted? = nil) async throws {
        world = try await World(counted: counted)
        account = try await world.account("ada@app.example")
        accounts = world.accounts(signedWith: nil)
        first = try await accounts.openSession(for: account, by: .password).refreshToken
    }

    func show(_ token: String) async throws -> String { try await accounts.refresh(token, in: world.project).refreshToken }

    func refusal(of token: String) async -> Refusal? {
        do throws(ActionError) {
            _ = try await accounts.refresh(token, in: world.project)
            return nil
        } catch { if case .refused(let refusal, _) = error { return refusal } else { return nil } }
    }

    func wait(_ span: Duration) { world.clock.advance(by: span) }
}

/// A way in which a session ends before its token is superseded.
enum SessionEnding: CaseIterable {
    case newPassword, revocation, disabling, deletion, deletionAndReuse, restoredBackup

    var refusal: Refusal {
        switch self {
        case .newPassword, .revocation, .deletionAndReuse, .restoredBackup: .tokenExpired
        case .disabling: .userDisabled
        case .deletion: .userNotFound
        }
    }

    func apply(to world: World) async throws {
        var change = AccountChange()
        switch self {
        case .newPassword: change.password = "a quiet long phrase"
        case .revocation: change.validSince = world.clock.now() + .seconds(1)
        case .disabling: change.disabled = true
        case .deletion, .deletionAndReuse:
            let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
            try await world.accounts.erasure.delete(account)
            if self == .deletionAndReuse { try await world.account("ada@app.example") }
            return
        case .restoredBackup:
            try await world.store.revokeCredentials(at: world.clock.now())
            return
        }
        _ = try await world.change(change, byAdmin: true)
    }
}

/// A token that was never issued for the account and project.
enum Forgery: CaseIterable {
    case otherServer, otherProject, otherAccount, unknownAccount, otherSecret, changedTag, cut, longer

    fileprivate func token(for ada: Visit) async throws -> String {
        let (project, random) = (ada.world.project.id, ada.world.random.bytes)
        var bytes = try #require(Base64URL.decode(ada.first))
        switch self {
        case .otherServer:
            return RefreshToken(for: ada.account.id, in: project, random: random).text(by: Secrets(root: [UInt8](repeating: 8, count: 32)))
        case .otherProject:
            let other = ProjectID(rawValue: "other")
            return RefreshToken(for: ada.account.id, in: other, random: random).text(by: ada.world.secrets)
        case .otherAccount:
            try await ada.world.account("bob@app.example", id: "bob")
            bytes.replaceSubrange(65..., with: "bob".utf8)
        case .unknownAccount: bytes.replaceSubrange(65..., with: "eve".utf8)
        case .otherSecret: bytes[40] ^= 1
        case .changedTag: bytes[1] ^= 1
        case .cut: bytes.removeLast(bytes.count - 65)
        case .longer: bytes.append(97)
        }
        return Base64URL.encode(bytes)
    }
}

@Suite struct `A refresh token` {
    static let justOver = RefreshTokenRecord.grace + .milliseconds(1)

    @Test func `works until five minutes after its successor is used`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        #expect(second != ada.first)
        ada.wait(.hours(1))
        _ = try await ada.show(second)
        ada.wait(RefreshTokenRecord.grace)
        #expect(await ada.refusal(of: ada.first) == nil)
        ada.wait(.milliseconds(1))
        #expect(await ada.refusal(of: ada.first) == .tokenExpired)
    }

    /// A client that ignores the response, a lost response and a process that died before it was
    /// sent look the same to the server.
    @Test func `works forever if no successor is used`() async throws {
        let ada = try await Visit()
        for _ in 0..<200 {
            ada.wait(.hours(1))
            #expect(await ada.refusal(of: ada.first) == nil)
        }
    }

    @Test func `works after any number of lost responses`() async throws {
        let ada = try await Visit()
        var token = ada.first
        for lost in 0..<12 {
            for _ in 0..<(lost % 4) { _ = try await ada.show(token) }
            token = try await ada.show(token)
            ada.wait(.hours(1))
        }
        #expect(await ada.refusal(of: token) == nil)
    }

    @Test func `used by two tabs at once gives each a working successor`() async throws {
        let ada = try await Visit()
        let tokens = try await withThrowingTaskGroup(of: String.self) { tabs in
            for _ in 0..<2 { tabs.addTask { try await ada.show(ada.first) } }
            return try await tabs.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(tokens).count == 2)
        ada.wait(.hours(1))
        for token in tokens { #expect(await ada.refusal(of: token) == nil) }
    }

    /// The thief refreshes first, and the owner sends the superseded token an hour later. Then
    /// neither is signed in.
    @Test func `ends the session if a thief used it first`() async throws {
        let ada = try await Visit()
        let stolen = try await ada.show(try await ada.show(ada.first))
        ada.wait(.hours(1))
        #expect(await ada.refusal(of: ada.first) == .tokenExpired)
        #expect(await ada.refusal(of: stolen) == .tokenExpired)
    }

    /// The owner refreshes first, and the thief sends the superseded token later.
    @Test func `ends the session if a thief uses it late`() async throws {
        let ada = try await Visit()
        let stolen = ada.first
        let second = try await ada.show(stolen)
        ada.wait(.hours(1))
        let third = try await ada.show(second)
        ada.wait(Self.justOver)
        #expect(await ada.refusal(of: stolen) == .tokenExpired)
        for token in [second, third] { #expect(await ada.refusal(of: token) == .tokenExpired) }
    }

    @Test func `ends no other session of the account after a theft`() async throws {
        let ada = try await Visit()
        let phone = try await ada.accounts.openSession(for: try #require(try await ada.world.stored(ada.account.id)), by: .password)
        _ = try await ada.show(try await ada.show(ada.first))
        ada.wait(.hours(1))
        #expect(await ada.refusal(of: ada.first) == .tokenExpired)
        #expect(await ada.refusal(of: phone.refreshToken) == nil)
    }

    @Test func `is superseded by the first use of its successor only`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        _ = try await ada.show(second)
        ada.wait(RefreshTokenRecord.grace)
        // If the mark were renewed, the first token would stay valid.
        _ = try await ada.show(second)
        ada.wait(.milliseconds(1))
        #expect(await ada.refusal(of: ada.first) == .tokenExpired)
    }

    @Test func `has at most twenty unused successors`() async throws {
        let ada = try await Visit()
        var followers: [String] = []
        for _ in 0..<25 {
            ada.wait(.seconds(1))
            followers.append(try await ada.show(ada.first))
        }
        #expect(await ada.refusal(of: ada.first) == nil)
        // The session above counts, so nineteen of these are left.
        #expect(await ada.refusal(of: followers[5]) == .tokenExpired)
        #expect(await ada.refusal(of: followers[6]) == nil)
    }

    /// A superseded token is kept for a week. After that it is unknown, and using it does not end
    /// the session.
    @Test func `is deleted a week after it was superseded`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        let third = try await ada.show(second)
        let moment = ada.world.clock.now() + .milliseconds(1)
        #expect(try await ada.world.store.purgeSessions(retiredBefore: moment) == 1)
        ada.wait(.days(7))
        #expect(await ada.refusal(of: ada.first) == .tokenExpired)
        #expect(await ada.refusal(of: third) == nil)
    }

    /// S6: every way to end sessions ends all their tokens.
    @Test func `ends with all its successors`() async throws {
        let ada = try await Visit()
        let second = try await ada.show(ada.first)
        var change = AccountChange()
        change.validSince = ada.world.clock.now() + .seconds(1)
        _ = try await ada.world.change(change, byAdmin: true)
        for token in [ada.first, second] { #expect(await ada.refusal(of: token) == .tokenExpired) }
    }

    /// Each refresh would otherwise write a second row.
    @Test func `is recorded as the account's last refresh once an hour`() async throws {
        let ada = try await Visit()
        func recorded() async throws -> Timestamp? { try await ada.world.stored(ada.account.id)?.lastRefreshAt }
        let signIn = ada.world.clock.now()
        #expect(try await recorded() == signIn)
        ada.wait(.minutes(59))
        let second = try await ada.show(ada.first)
        #expect(try await recorded() == signIn)
        ada.wait(.minutes(1))
        _ = try await ada.show(second)
        #expect(try await recorded() == signIn + .hours(1))
    }

    /// T7: the SDKs end the app's session at these refusals only.
    @Test(arguments: SessionEnding.allCases)
    func `says why its session ended`(_ ending: SessionEnding) async throws {
        let ada = try await Visit()
        try await ending.apply(to: ada.world)
        #expect(await ada.refusal(of: ada.first) == ending.refusal)
    }

    /// T7: a stranger's guess is refused before anything is read, whether there is such an account.
    @Test(arguments: Forgery.allCases)
    func `is refused unread unless it was issued here`(_ forgery: Forgery) async throws {
        let counted = Counted()
        let ada = try await Visit(counted: counted)
        let token = try await forgery.token(for: ada)
        _ = counted.reset()
        #expect(await ada.refusal(of: token) == .invalidRefreshToken)
        let work = counted.reset()
        #expect(work.reads == 0 && work.transactions == 0)
    }

    @Test(arguments: ["", "x", "é", String(repeating: "A", count: 43), String(repeating: "A", count: 91)])
    func `is refused if it is nonsense`(_ text: String) async throws {
        #expect(await (try Visit()).refusal(of: text) == .invalidRefreshToken)
    }

    /// It has no effect on another project either.
    @Test func `works in its own project only`() async throws {
        let ada = try await Visit()
        let other = ada.world.project.renamed(ProjectID(rawValue: "other"))
        await #expect(throws: ActionError.self) { try await ada.accounts.refresh(ada.first, in: other) }
        #expect(await ada.refusal(of: ada.first) == nil)
    }

    /// Sign-ins and refreshes without end fill no disk.
    @Test(arguments: [true, false])
    func `the oldest refresh token of five thousand makes room for the next one`(_ isRefresh: Bool) async throws {
        let ada = try await Visit()
        ada.wait(.seconds(1))
        let (account, moment) = (ada.account, ada.world.clock.now())
        let others = (0..<RefreshTokenRecord.maxPerAccount - 2).map { number in
            RefreshTokenRecord(
                token: ada.world.secrets.digest(Array("\(number)".utf8), for: .session), project: account.project, account: account.id,
                authTime: moment, provider: .password, createdAt: moment)
        }
        try await ada.world.store.transaction { (records) throws(ActionError) in
            for session in others { try records.insert(session) }
        }
        ada.wait(.seconds(1))
        func signIn() async throws -> String {
            try await ada.accounts.openSession(for: try #require(try await ada.world.stored(account.id)), by: .password).refreshToken
        }
        let newest = try await signIn()
        if isRefresh { _ = try await ada.show(newest) } else { _ = try await signIn() }
        #expect(await ada.refusal(of: ada.first) == .tokenExpired)
    }

    /// S6: even if its record is still there.
    @Test func `a refresh token ends with the sessions of its account`() async throws {
        let ada = try await Visit()
        var account = try #require(try await ada.world.stored(ada.account.id))
        account.endSessions(at: ada.world.clock.now())
        let ended = account
        try await ada.world.store.transaction { (records) throws(ActionError) in try records.update(ended) }
        #expect(await ada.refusal(of: ada.first) == .tokenExpired)
    }
}
