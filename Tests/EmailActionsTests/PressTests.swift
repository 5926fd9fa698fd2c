import Accounts
import EmailActions
import Store
import Testing
import World

/// The press of a page's button, which looks and acts in one step where that is all it takes.
@Suite struct `A press` {
    let world: World

    init() async throws { world = try await World() }

    private func press(_ code: OobCode, _ action: Action = .verifyEmail, by actions: EmailActions? = nil) async throws(ActionError)
        -> Pressing
    {
        try await (actions ?? world.actions).press(ActionLink(action: action, code: code, apiKey: "shop-key"), in: world.project)
    }

    /// What was seen instead of anything being done.
    private func seen(_ code: OobCode, _ action: Action = .verifyEmail, by actions: EmailActions? = nil) async throws -> Inspection {
        guard case .looked(let inspection) = try await press(code, action, by: actions) else { throw Missing() }
        return inspection
    }

    private func isVerified() async throws -> Bool? { try await world.stored(AccountID(rawValue: "ada"))?.emailVerified }

    @Test func `verifies at once`() async throws {
        let code = try await world.issue(.verifyEmail)
        guard case .done(let outcome) = try await press(code) else { throw Missing() }
        #expect(outcome.done.action == .verifyEmail && outcome.done.email == "ada@app.example" && outcome.email == "ada@app.example")
        #expect(try await isVerified() == true)
        guard case .used = try await seen(code) else { throw Missing() }
    }

    /// C3, C5.
    @Test func `wins once, whoever is beside it`() async throws {
        let code = try await world.issue(.verifyEmail)
        let (winners, late) = try await withThrowingTaskGroup(of: Pressing.self) { group in
            for _ in 0..<100 { group.addTask { try await press(code) } }
            return try await group.reduce(into: (0, 0)) {
                switch $1 {
                case .done: $0.0 += 1
                case .looked(.used): $0.1 += 1
                case .looked: break
                }
            }
        }
        #expect(winners == 1 && late == 99)
    }

    /// C11.
    @Test func `ends the others of its purpose`() async throws {
        let first = try await world.issue(.verifyEmail)
        let second = try #require(try await world.send(.verifyEmail))
        guard case .done = try await press(first), case .withdrawn = try await seen(second) else { throw Missing() }
    }

    @Test(arguments: Action.allCases.filter { $0 != .verifyEmail })
    func `only looks where more is asked for`(_ action: Action) async throws {
        let code = try await world.issue(action)
        guard case .live(let pending) = try await seen(code, action) else { throw Missing() }
        #expect(pending.action == action)
    }

    /// C10.
    @Test(arguments: Action.allCases.filter { $0 != .verifyEmail })
    func `does nothing by a code that is for something else`(_ action: Action) async throws {
        let code = try await world.issue(action)
        guard case .live(let pending) = try await seen(code) else { throw Missing() }
        #expect(pending.action == action)
        guard case .live = try await world.inspect(code) else { throw Missing() }
    }

    /// C10.
    @Test func `does nothing in another project`() async throws {
        let code = try await world.issue(.verifyEmail)
        let link = ActionLink(action: .verifyEmail, code: code, apiKey: "shop-key")
        let other = world.project.renamed(ProjectID(rawValue: "blog"))
        guard case .looked(.unknown) = try await world.actions.press(link, in: other) else { throw Missing() }
        guard case .live = try await world.inspect(code) else { throw Missing() }
    }

    @Test func `knows nothing of a code that never was`() async throws {
        guard case .unknown = try await seen(OobCode(random: world.random.bytes)) else { throw Missing() }
    }

    /// C8: equality counts as expired.
    @Test func `comes too late`() async throws {
        let code = try await world.issue(.verifyEmail)
        world.clock.advance(by: world.project.lifetimes[.verifyEmail])
        guard case .expired = try await seen(code) else { throw Missing() }
        #expect(try await isVerified() == false)
    }

    /// S9: what is refused leaves the code as it was, and those beside it.
    @Test(arguments: [true, false]) func `leaves the code of an account that changed`(_ isDisabled: Bool) async throws {
        let codes = [try await world.issue(.verifyEmail), try #require(try await world.send(.verifyEmail))]
        var account = try #require(try await world.stored(AccountID(rawValue: "ada")))
        if isDisabled { account.disabled = true } else { account.email = EmailAddress("other@app.example") }
        let changed = account
        try await world.store.transaction { (records: any AccountRecords) throws(ActionError) in try records.update(changed) }
        await expectRefused(isDisabled ? .userDisabled : .invalidOobCode) { try await press(codes[0]) }
        for code in codes { guard case .live = try await world.inspect(code) else { throw Missing() } }
        #expect(try await isVerified() == false)
    }

    /// Where nothing can be written, what is over can still be said.
    @Test func `is told what is over although the disk is full`() async throws {
        let code = try await world.issue(.verifyEmail)
        let actions = EmailActions(
            store: FullStore(store: world.store), passwords: world.passwords, outbox: world.outbox, secrets: world.secrets,
            linkKey: { _ in "" }, now: world.clock.now, random: world.random.bytes)
        await #expect(throws: ActionError.self) { try await press(code, by: actions) }
        #expect(try await isVerified() == false)
        guard case .done = try await press(code), case .used = try await seen(code, by: actions) else { throw Missing() }
        guard case .unknown = try await seen(OobCode(random: world.random.bytes), by: actions) else { throw Missing() }
    }
}

/// Can be read and not written.
private struct FullStore: ActionStore {
    let store: any ActionStore

    func read<T: Sendable>(_ body: @escaping @Sendable (any AccountRecords) throws(ActionError) -> T) async throws(ActionError) -> T {
        try await store.read(body)
    }

    func read<T: Sendable>(actions body: @escaping @Sendable (any ActionRecords) throws(ActionError) -> T) async throws(ActionError) -> T {
        try await store.read(actions: body)
    }

    func transaction<T: Sendable>(_: @escaping @Sendable (any AccountRecords) throws(ActionError) -> T) async throws(ActionError) -> T {
        throw .unavailable(Unavailable(.store, cause: "the disk is full"))
    }

    func transaction<T: Sendable>(
        actions _: @escaping @Sendable (any ActionRecords) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        throw .unavailable(Unavailable(.store, cause: "the disk is full"))
    }
}
