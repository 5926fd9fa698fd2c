import Base
import Dispatch
import Network
import Testing
import World
@testable import Accounts

@Suite struct `A code` {
    /// C1, C15: A code has 32 bytes, written as 43 characters; any other text is not a code.
    @Test(arguments: ["", "short", String(repeating: "A", count: 42), String(repeating: "A", count: 44), String(repeating: "é", count: 43)])
    func `a code is not made of other text`(_ text: String) { #expect(OobCode(text) == nil) }

    @Test func `a code is 43 characters that read back`() {
        let code = OobCode(random: { count in (0..<count).map { UInt8($0 * 7) } })
        #expect(code.text.count == 43)
        #expect(OobCode(code.text) == code)
    }

    /// C1: 24 of the 32 bytes are random. The other 8 contain the rowID and must look random too,
    /// although rowIDs are consecutive.
    @Test func `a code looks random in each of its bytes, and leads to its rowID`() throws {
        let (count, secrets, start) = (4096, Secrets(root: [UInt8](repeating: 7, count: 32)), Int64(1_800_000_000_000) << 21)
        var occurrences = [[Int]](repeating: [Int](repeating: 0, count: 256), count: 32)
        for number in 0..<Int64(count) {
            let code = OobCode(rowID: start + number, random: { (0..<$0).map { _ in UInt8.random(in: 0...255) } }, keyedBy: secrets)
            #expect(code.key(by: secrets).rowID == start + number)
            for (position, byte) in try #require(Base64URL.decode(code.text)).enumerated() { occurrences[position][Int(byte)] += 1 }
        }
        for byte in occurrences {
            let expected = Double(count) / 256
            let chiSquared = byte.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
            // The limit for 255 degrees of freedom: one of 32 random bytes exceeds it about once in
            // ten million runs.
            #expect(chiSquared < 400)
        }
    }

    /// C15: A code of Firebase has 54 characters, which do not decode to whole bytes. Text that
    /// cannot be a code of any authority is refused before an authority is asked.
    @Test func `a code may be another authority's`() throws {
        let foreign = String(repeating: "aB3_-x", count: 9)
        #expect(OobCode(foreign) == nil)
        #expect(OobCode(ofAnyAuthority: foreign)?.mayBeOwn == false)
        for bad in ["", "short", "a b c d e f g h i j k l m", String(repeating: "a", count: 513), foreign + "\r\n", foreign + "%"] {
            #expect(OobCode(ofAnyAuthority: bad) == nil)
        }
        let own = OobCode(random: { [UInt8](repeating: 3, count: $0) })
        let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
        let read = try #require(OobCode(ofAnyAuthority: own.text))
        #expect(read == own && read.mayBeOwn)
        #expect(read.key(by: secrets) == own.key(by: secrets))
    }

    /// C15: Other text that decodes to the same bytes is refused, because it would be a second
    /// code.
    @Test func `a code has one spelling`() {
        let code = OobCode(random: { [UInt8](repeating: 0, count: $0) })
        #expect(OobCode(code.text.dropLast() + "B") == nil)
    }

    @Test(arguments: Action.allCases)
    func `a code is inspected without being spent`(_ action: Action) async throws {
        let world = try await World()
        let code = try await world.issue(action)
        for _ in 1...3 {
            guard case .live(let pending) = try await world.inspect(code) else { throw Missing() }
            #expect(pending.action == action)
        }
    }

    /// V5: a press that waited for its turn while another used the code costs no hash.
    @Test func `a press that waited for its turn looks at the code again before it hashes a password`() async throws {
        let (world, hashes) = (try await World(), AtomicCounter())
        let workerPool = WorkerPool(label: "test", width: 1, maxWaiting: 9)
        let passwords = Passwords(workerPool: workerPool, cost: .cheap, secrets: world.secrets) {
            hashes.add()
            return world.random.bytes($0)
        }
        let turns = TurnQueue(width: 2, maxWaiting: 9)
        let accounts = world.accounts(signedWith: nil, passwords: passwords, turns: turns)
        let pending = try await world.inspect(world.issue(.resetPassword)).pending()
        let (held, isHeld) = (DispatchSemaphore(value: 0), Latch())
        async let holding: Void = workerPool.run {
            isHeld.open()
            _ = held.wait(timeout: .now() + .seconds(Duration.patientSeconds))
        }
        try await isHeld.opens()
        async let first = refusal(of: accounts, pending)
        async let second = refusal(of: accounts, pending)
        try await eventually("one press waits") { turns.waitingCount == 1 }
        held.signal()
        try await holding
        #expect(await [first, second].compactMap(\.self) == [.invalidOobCode])
        #expect(hashes.value == 1)
    }

    private func refusal(of accounts: Accounts, _ pending: PendingAction) async -> Refusal? {
        do throws(ActionError) {
            _ = try await accounts.redeem(pending, with: .newPassword("a quiet long phrase"))
            return nil
        } catch { return error.refusal }
    }

    /// C5, C8: A code has expired at its expiry time, not only after it.
    @Test(arguments: Action.allCases)
    func `a code works until its expiry time, and not at it`(_ action: Action) async throws {
        let world = try await World()
        let code = try await world.issue(action)
        world.clock.advance(by: world.project.lifetimes[action] - .milliseconds(1))
        guard case .live(let pending) = try await world.inspect(code) else { throw Missing() }
        world.clock.advance(by: .milliseconds(1))
        guard case .expired = try await world.inspect(code) else { throw Missing() }
        await expectRefused(action == .signIn ? .invalidOobCode : .expiredOobCode) {
            try await world.accounts.redeem(pending, with: .newPassword("a quiet long phrase"))
        }
    }

    /// C3: exactly one of any number of simultaneous attempts applies a code. C5: a used code stays
    /// used.
    @Test(arguments: Action.redeemable)
    func `one of a hundred presses of a code wins`(_ action: Action) async throws {
        let world = try await World()
        let code = try await world.issue(action)
        let pending = try await world.inspect(code).pending()
        let winners = await withTaskGroup(of: Bool.self) { group in
            for number in 1...100 {
                group.addTask {
                    (try? await world.accounts.redeem(pending, with: .newPassword("a quiet long phrase \(number)"))) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        guard case .used = try await world.inspect(code) else { throw Missing() }
    }

    /// C10: A code is not found through another project, and stays live.
    @Test func `a code is unknown in another project`() async throws {
        let world = try await World()
        let code = try await world.issue(.verifyEmail)
        let other = world.project.renamed(ProjectID(rawValue: "blog"))
        guard case .unknown = try await world.accounts.inspect(code, in: other) else { throw Missing() }
        guard case .live = try await world.inspect(code) else { throw Missing() }
    }

    /// C11: Several codes of one purpose can be live. The first one that is applied withdraws the
    /// others.
    @Test func `a code ends its siblings when it succeeds`() async throws {
        let world = try await World()
        let first = try await world.issue(.verifyEmail)
        let second = try #require(try await world.send(.verifyEmail))
        guard case .live = try await world.inspect(first), case .live = try await world.inspect(second) else { throw Missing() }
        try await world.redeem(first)
        guard case .withdrawn = try await world.inspect(second) else { throw Missing() }
    }

    /// S9: A refused attempt does not spend the code.
    @Test func `a code survives a weak password`() async throws {
        let world = try await World()
        let code = try await world.issue(.resetPassword)
        await expectRefused(.weakPassword) { try await world.redeem(code, with: .newPassword("short")) }
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))
    }

    @Test func `a code survives an address that was taken meanwhile`() async throws {
        let world = try await World()
        let code = try await world.issue(.verifyAndChangeEmail)
        try await world.account("new@app.example", id: "bob")
        await expectRefused(.emailExists) { try await world.redeem(code) }
        guard case .live = try await world.inspect(code) else { throw Missing() }
    }

    /// C12: disabling or deleting the account ends its codes.
    @Test(arguments: Action.redeemable)
    func `a code is refused for a disabled account`(_ action: Action) async throws {
        let world = try await World()
        let code = try await world.issue(action)
        let pending = try await world.inspect(code).pending()
        var change = AccountChange()
        change.disabled = true
        _ = try await world.change(change)
        await expectRefused(action.isUndo ? .userDisabled : .invalidOobCode) {
            try await world.accounts.redeem(pending, with: .newPassword("a quiet long phrase"))
        }
        guard case .withdrawn = try await world.inspect(code) else { throw Missing() }
        // A1: undo links wait until the account is enabled.
        change.disabled = false
        _ = try await world.change(change, byAdmin: true)
        guard case .live = try await world.inspect(code) else {
            #expect(!action.isUndo)
            return
        }
        #expect(action.isUndo)
    }

    /// C12: The codes of an account that is deleted end with it, and an account that gets the same
    /// address later is not theirs.
    @Test(arguments: Action.allCases)
    func `a code is deleted with its account`(_ action: Action) async throws {
        let world = try await World()
        let code = try await world.issue(action)
        #expect(try await world.accounts.erasure.delete([AccountID(rawValue: "ada")], force: true, in: world.project.id).isEmpty)
        try await world.account("ada@example.com", id: "another")
        await expectRefused(.invalidOobCode) { _ = try await world.inspect(code).pending() }
    }

    /// C12: A new password or address withdraws the account's live codes, except those that undo a
    /// change.
    @Test(arguments: Action.allCases, [true, false])
    func `a code survives a new password or address only if it undoes a change`(_ action: Action, changesPassword: Bool) async throws {
        let world = try await World()
        let code = try await world.issue(action)
        var change = AccountChange()
        if changesPassword { change.password = "another quiet phrase" } else { change.email = EmailAddress("other@app.example") }
        // Only an admin gives an account with a second factor an address that is not verified.
        _ = try await world.change(change, byAdmin: action == .revertSecondFactorAddition)
        switch try await world.inspect(code) {
        // An admin who gives another address ends the power of the old mailbox.
        case .live: #expect(action == .recoverEmail || action == .revertSecondFactorAddition && changesPassword)
        case .withdrawn: #expect(!action.isUndo || action == .revertSecondFactorAddition && !changesPassword)
        default: throw Missing()
        }
    }
}

struct Missing: Error {}

extension Action {
    static let redeemable = allCases.filter { $0 != .signIn }
}
