import Accounts
import Base
import Store
import Synchronization
import Testing
import World

/// The submission of an action page's form.
@Suite struct `A press of the button` {
    let world: World

    init() async throws { world = try await World() }

    private func press(
        _ code: OobCode, _ action: Action = .verifyEmail, typing password: String = "", by accounts: Accounts? = nil
    ) async throws(ActionError) -> PressResult {
        let press = Press(pageMadeAt: world.clock.now(), waysMark: try await world.waysMark(of: code))
        return try await (accounts ?? world.accounts).press(
            ActionLink(action: action, code: code, apiKey: "shop-key"), press, typing: password, in: world.project)
    }

    /// The inspection that a press returns if it does not apply the code.
    private func seen(_ code: OobCode, _ action: Action = .verifyEmail, by accounts: Accounts? = nil) async throws -> Inspection {
        guard case .inspected(let inspection) = try await press(code, action, by: accounts) else { throw Missing() }
        return inspection
    }

    private func isVerified() async throws -> Bool? { try await world.stored(AccountID(rawValue: "ada"))?.emailVerified }

    @Test func `verifies at once`() async throws {
        let code = try await world.issue(.verifyEmail)
        guard case .applied(let outcome) = try await press(code) else { throw Missing() }
        #expect(outcome.done.action == .verifyEmail && outcome.done.email == "ada@app.example" && outcome.email == "ada@app.example")
        #expect(try await isVerified() == true)
        guard case .used = try await seen(code) else { throw Missing() }
    }

    /// C3: exactly one of any number of simultaneous attempts applies a code. C5: a used code stays
    /// used.
    @Test func `applies the code once among concurrent presses`() async throws {
        let code = try await world.issue(.verifyEmail)
        let (winners, late) = try await withThrowingTaskGroup(of: PressResult.self) { group in
            for _ in 0..<100 { group.addTask { try await press(code) } }
            return try await group.reduce(into: (0, 0)) {
                switch $1 {
                case .applied: $0.0 += 1
                case .inspected(.used): $0.1 += 1
                case .inspected, .challenged, .passwordRefused: break
                }
            }
        }
        #expect(winners == 1 && late == 99)
    }

    /// C11: several codes of one purpose may be live, and the first success withdraws the others.
    @Test func `withdraws the other codes of its address and action`() async throws {
        let first = try await world.issue(.verifyEmail)
        let second = try #require(try await world.send(.verifyEmail))
        guard case .applied = try await press(first), case .withdrawn = try await seen(second) else { throw Missing() }
    }

    @Test(arguments: Action.allCases.filter { $0 != .resetPassword && !$0.isAppliedByApp })
    func `applies each action that needs no input`(_ action: Action) async throws {
        let code = try await world.issue(action)
        guard case .applied(let outcome) = try await press(code, action) else { throw Missing() }
        #expect(outcome.done.action == action)
        guard case .used = try await seen(code, action) else { throw Missing() }
    }

    @Test func `leaves a sign-in link to the app`() async throws {
        let code = try await world.issue(.signIn)
        guard case .live(let pending) = try await seen(code, .signIn) else { throw Missing() }
        #expect(pending.action == .signIn)
    }

    @Test(arguments: [("", PasswordPolicy.Objection.empty), ("short", .tooShort), ("ada@app.example", .containsOwnWords)])
    func `refuses a password and leaves the code live`(_ password: String, _ objection: PasswordPolicy.Objection) async throws {
        let code = try await world.issue(.resetPassword)
        guard case .passwordRefused(let pending, let refusal) = try await press(code, .resetPassword, typing: password) else {
            throw Missing()
        }
        #expect(pending.action == .resetPassword && refusal.objections == [objection] && refusal.requirements == nil)
        #expect(refusal.error.refusal == .weakPassword)
        guard case .applied = try await press(code, .resetPassword, typing: "a quiet long phrase") else { throw Missing() }
    }

    /// C10: a code works only for its project, action, account and address.
    @Test(arguments: Action.allCases.filter { $0 != .verifyEmail })
    func `does not apply a code of another action`(_ action: Action) async throws {
        let code = try await world.issue(action)
        guard case .live(let pending) = try await seen(code) else { throw Missing() }
        #expect(pending.action == action)
        guard case .live = try await world.inspect(code) else { throw Missing() }
    }

    /// C10: a code works only for its project, action, account and address.
    @Test func `does nothing in another project`() async throws {
        let code = try await world.issue(.verifyEmail)
        let link = ActionLink(action: .verifyEmail, code: code, apiKey: "shop-key")
        let other = world.project.renamed(ProjectID(rawValue: "blog"))
        guard case .inspected(.unknown) = try await world.accounts.press(link, Press(pageMadeAt: world.clock.now()), in: other) else {
            throw Missing()
        }
        guard case .live = try await world.inspect(code) else { throw Missing() }
    }

    @Test func `reports a code that was never issued as unknown`() async throws {
        guard case .unknown = try await seen(OobCode(random: world.random.bytes)) else { throw Missing() }
    }

    /// C8: A code has expired at its expiry time, not only after it.
    @Test func `does not apply an expired code`() async throws {
        let code = try await world.issue(.verifyEmail)
        world.clock.advance(by: world.project.lifetimes[.verifyEmail])
        guard case .expired = try await seen(code) else { throw Missing() }
        #expect(try await isVerified() == false)
    }

    /// S9: A refused press changes neither its code nor the other codes of its purpose.
    @Test(arguments: [true, false]) func `leaves the code unspent if its account was disabled or has another address`(_ isDisabled: Bool)
        async throws
    {
        let codes = [try await world.issue(.verifyEmail), try #require(try await world.send(.verifyEmail))]
        var account = try #require(try await world.stored(AccountID(rawValue: "ada")))
        if isDisabled { account.disabled = true } else { account.email = EmailAddress("other@app.example") }
        let changed = account
        try await world.store.transaction { (records) throws(ActionError) in try records.update(changed) }
        await expectRefused(isDisabled ? .userDisabled : .invalidOobCode) { try await press(codes[0]) }
        for code in codes { guard case .live = try await world.inspect(code) else { throw Missing() } }
        #expect(try await isVerified() == false)
    }

    /// An ended code can be reported even if the database cannot be written.
    @Test func `reports an ended code although the disk is full`() async throws {
        let code = try await world.issue(.verifyEmail)
        let accounts = world.accounts(signedWith: nil, store: FullStore(store: world.store))
        await #expect(throws: ActionError.self) { try await press(code, by: accounts) }
        #expect(try await isVerified() == false)
        guard case .applied = try await press(code), case .used = try await seen(code, by: accounts) else { throw Missing() }
        guard case .unknown = try await seen(OobCode(random: world.random.bytes), by: accounts) else { throw Missing() }
    }

    /// Another press may come between the look at the code and the transaction.
    @Test func `a doubtful press of a code that has just ended reports its end`() async throws {
        let code = try await world.issue(.verifyAndChangeEmail)
        var project = world.project
        project.confirmBy = .number
        let (key, id, moment) = (code.key(by: world.secrets), project.id, world.clock.now())
        let late = LateStore(store: world.store) { (records) throws(ActionError) in
            _ = try records.spend(key, of: .verifyAndChangeEmail, in: id, at: moment)
        }
        let press = Press(pageMadeAt: moment, waysMark: try await world.waysMark(of: code))
        let result = try await world.accounts(signedWith: nil, store: late)
            .press(ActionLink(action: .verifyAndChangeEmail, code: code, apiKey: "shop-key"), press, in: project)
        guard case .inspected(.used) = result else { throw Missing() }
    }

    @Test func `a password is judged although the disk is full`() async throws {
        let code = try await world.issue(.resetPassword)
        let accounts = world.accounts(signedWith: nil, store: FullStore(store: world.store))
        guard case .passwordRefused = try await press(code, .resetPassword, typing: "short", by: accounts) else { throw Missing() }
    }

    /// The page would say that the link had been used before.
    @Test func `a press of an unknown outcome is not reported as one of a used code`() async throws {
        let code = try await world.issue(.verifyEmail)
        let accounts = world.accounts(signedWith: nil, store: SilentStore(store: world.store))
        await #expect(throws: ActionError.self) { try await press(code, by: accounts) }
        #expect(try await isVerified() == true)
    }

    /// V10: a second attempt would not ask whether a program has pressed.
    @Test func `a press that a busy store does not take leaves its code live`() async throws {
        let code = try await world.issue(.verifyEmail)
        let accounts = world.accounts(signedWith: nil, store: BusyStore(world.store))
        await #expect(throws: ActionError.self) { try await press(code, by: accounts) }
        #expect(try await isVerified() == false)
        guard case .live = try await world.inspect(code) else { throw Missing() }
    }
}

/// A store that can be read but not written.
private struct FullStore: ForwardingStorage {
    let store: any Storage

    func transaction<T: Sendable>(_: @escaping @Sendable (any Records) throws(ActionError) -> T) async throws(ActionError) -> T {
        throw .unavailable(Unavailable(.store, cause: "the disk is full"))
    }
}

/// A store in which another transaction comes before each.
private struct LateStore: ForwardingStorage {
    let store: any Storage
    let former: @Sendable (any Records) throws(ActionError) -> Void

    func transaction<T: Sendable>(_ body: @escaping @Sendable (any Records) throws(ActionError) -> T) async throws(ActionError) -> T {
        try await store.transaction(former)
        return try await store.transaction(body)
    }
}

/// A store whose answers to commits are lost.
private struct SilentStore: ForwardingStorage {
    let store: any Storage

    func transaction<T: Sendable>(_ body: @escaping @Sendable (any Records) throws(ActionError) -> T) async throws(ActionError) -> T {
        _ = try await store.transaction(body)
        throw .unavailable(Unavailable(.store, cause: "the answer was lost", commitState: .unknown))
    }
}

/// A store that is too busy for its first transaction.
private final class BusyStore: ForwardingStorage {
    let store: any Storage
    private let isBusy = Mutex(true)

    init(_ store: any Storage) { self.store = store }

    func transaction<T: Sendable>(_ body: @escaping @Sendable (any Records) throws(ActionError) -> T) async throws(ActionError) -> T {
        let isRefused = isBusy.withLock { isBusy in
            defer { isBusy = false }
            return isBusy
        }
        guard !isRefused else { throw .unavailable(Unavailable(.store, cause: "busy")) }
        return try await store.transaction(body)
    }
}
