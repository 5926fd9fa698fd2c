import Accounts
import Base
import Store
import Testing
import World

/// The choices that the page of a link offers besides its button.
@Suite struct `The owner of a mailbox` {
    private let ada = AccountID(rawValue: "ada")
    private let number = PhoneNumber("+15005550100")

    private func links(of account: AccountID, in world: World) async throws -> [LinkedProvider] {
        let project = world.project.id
        return try await world.store.read { (records) throws(ActionError) in
            try records.linkedProviders(of: account, in: project)
        }
    }

    /// A4: nothing that was set up in advance lets anybody in once the owner has come. A5: a user
    /// who confirms an address learns how it was asked for, and can end it instead.
    @Test func `who did not make the account takes the address, and every way in ends`() async throws {
        let world = try await World()
        let made = try await world.account("ada@app.example") {
            ($0.passwordHash, $0.displayName) = ("$scrypt$", "Eve")
            $0.setPhoneNumber(number, at: $0.createdAt)
        }
        let session = try await world.signedAccounts().openSession(for: made, by: .password)
        world.clock.advance(by: .seconds(60))
        let code = try #require(try await world.send(.verifyEmail))
        let pending = try await world.inspect(code).pending()
        #expect(pending.waysIn?.hasPassword == true && pending.waysIn?.names == ["+••• ••00"] && pending.choices == [.notMine])
        _ = try await world.accounts.redeem(pending, with: .press(.notMine))
        let account = try #require(try await world.stored(ada))
        #expect(account.emailVerified && account.email == .ada)
        #expect(account.passwordHash == nil && account.phoneNumber == nil && account.displayName == nil)
        await expectRefused(.tokenExpired) { try await world.signedAccounts().refresh(session.refreshToken, in: world.project) }
    }

    /// A4: the account was another user's, who keeps everything but the address.
    @Test func `who did not make the account leaves it to the user who had it before`() async throws {
        let world = try await World()
        try await world.account("first@app.example") { $0.passwordHash = "$scrypt$" }
        let first = try await world.accounts.send(
            CodeRequest(.verifyEmail, for: .account(try #require(try await world.stored(ada))), with: ApprovedSettings(in: world.project)))
        try await world.redeem(try #require(first?.code))
        var change = AccountChange()
        change.email = .ada
        _ = try await world.change(change)
        let pending = try await world.inspect(try #require(try await world.send(.verifyEmail))).pending()
        #expect(pending.choices == [.notMine])
        _ = try await world.accounts.redeem(pending, with: .press(.notMine))
        let account = try #require(try await world.stored(ada))
        #expect(account.email?.value == "first@app.example" && account.emailVerified && account.passwordHash == "$scrypt$")
    }

    /// A press of the link accepts the account, so there is nothing to disown.
    @Test(arguments: [true, false]) func `is offered no way out of an account that has proved the address`(proved: Bool) async throws {
        // A session alone may be a stranger's.
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = proved }
        let code = try #require(try await world.send(.verifyEmail))
        #expect(try await world.inspect(code).pending().choices == (proved ? [] : [.notMine]))
    }

    @Test func `who changed the address ends every undo link of that address, and nothing else`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        let before = try #require(try await world.stored(ada))
        _ = try await world.accounts.redeem(try await world.inspect(code).pending(), with: .press(.itWasMe))
        #expect(try await world.stored(ada) == before)
        await expectRefused(.invalidOobCode) { try await world.redeem(code) }
        #expect(try await world.mails().count { $0.kind == .action(.recoverEmail) } == 1)
    }

    /// A1: she may have another account that had the same address.
    @Test func `who changed the address ends no undo link of another account`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        let other = try await world.account("ada@app.example", id: "other") { $0.emailVerified = true }
        var change = AccountChange()
        change.email = EmailAddress("eve@evil.example")
        _ = try await world.accounts.update(other, with: change, in: world.project)
        let others = try #require(try await world.mailedCode(.recoverEmail))
        _ = try await world.accounts.redeem(try await world.inspect(code).pending(), with: .press(.itWasMe))
        guard case .live = try await world.inspect(others) else { throw Missing() }
    }

    /// The undo link does not count as mailed to the intruder: he cannot end it by another action.
    @Test(arguments: Action.allCases) func `cannot make the choice of another action`(_ action: Action) async throws {
        guard !action.isAppliedByApp else { return }
        for choice in ActionChoice.allCases where choice.action != action {
            let world = try await World()
            let code = try await world.issue(action)
            let pending = try await world.inspect(code).pending()
            await expectRefused(.invalidOobCode) { try await world.accounts.redeem(pending, with: .press(choice)) }
            guard case .live = try await world.inspect(code) else { throw Missing() }
        }
    }

    struct Missing: Error {}

    /// A6: both accounts belong to the user who presses.
    @Test func `gets the older account back from a newer one, which gets an undo link`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        let rival = try await world.account("ada@app.example", id: "newer") { $0.emailVerified = true }
        let pending = try await world.inspect(code).pending()
        #expect(pending.rivalMadeAt == rival.createdAt && pending.choices == [.itWasMe, .takeAddress])
        await expectRefused(.emailExists) { try await world.redeem(code) }
        _ = try await world.accounts.redeem(pending, with: .call(.takeAddress))
        #expect(try await world.stored(ada)?.email == .ada)
        let loser = try #require(try await world.stored(rival.id))
        #expect(loser.email == nil && !loser.disabled)
        let undo = try #require(try await world.mails().first { $0.kind == .action(.recoverEmail) })
        #expect(undo.to == "ada@app.example")
        let next = try await world.inspect(try #require(try await world.mailedCode(.recoverEmail))).pending()
        #expect(next.choices.contains(.takeAddress))
        _ = try await world.accounts.redeem(next, with: .call(.takeAddress))
        #expect(try await world.stored(rival.id)?.email == .ada)
    }

    @Test func `does not get the address from a disabled account, and takes it unasked from one that never proved it`() async throws {
        for (disabled, verified) in [(true, true), (false, false)] {
            let world = try await World()
            let code = try await world.issue(.recoverEmail)
            try await world.account("ada@app.example", id: "newer") { ($0.disabled, $0.emailVerified) = (disabled, verified) }
            let pending = try await world.inspect(code).pending()
            #expect(pending.rivalMadeAt == nil && pending.choices == [.itWasMe])
            if disabled {
                await expectRefused(.emailExists) { try await world.accounts.redeem(pending, with: .call(.takeAddress)) }
            } else {
                try await world.redeem(code)
                #expect(try await world.stored(AccountID(rawValue: "newer"))?.email == nil)
            }
        }
    }

    /// A6: the password ended with the undo. Only the page goes on with the user.
    @Test func `chooses a new password in the visit of an undo`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        let outcome = try await world.redeem(code, with: .press())
        #expect(try await world.stored(ada)?.passwordHash == nil)
        let reset = try #require(outcome.passwordReset).code
        try await world.redeem(reset, with: .newPassword("a quiet long phrase"))
        #expect(try await world.stored(ada)?.passwordHash != nil)
        #expect(try await !world.mails().contains { $0.kind == .action(.resetPassword) })
        let called = try await World()
        #expect(try await called.redeem(try await called.issue(.recoverEmail)).passwordReset == nil)
        let off = try await World { $0.signIn.password = false }
        #expect(try await off.redeem(try await off.issue(.recoverEmail), with: .press()).passwordReset == nil)
    }

    /// S7, C16: what was there before the change is named, and goes by one press.
    @Test func `removes a phone and a second factor that an undo left`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") {
            $0.emailVerified = true
            $0.setPhoneNumber(number, at: $0.createdAt)
        }
        try await world.enrollApp(for: "ada")
        world.clock.advance(by: .seconds(60))
        try await world.moveProved(to: "eve@evil.example")
        let code = try #require(try await world.mailedCode(.recoverEmail))
        try await world.redeem(code)
        guard case .used(let ended) = try await world.inspect(code) else { throw Missing() }
        let ways = try await world.accounts.remainingWays(after: ended)
        #expect(ways.map(\.name) == ["+••• ••00", "App"] && ways.map(\.secondFactor) == [nil, "app"])
        // One that is set up after the undo is the owner's, and the page does not speak of it.
        world.clock.advance(by: .seconds(60))
        try await world.enrollApp(for: "ada", factor: "later")
        #expect(try await world.accounts.remainingWays(after: ended).count == 2)
        for way in ways { try await world.accounts.remove(remaining: way.secondFactor, after: ended) }
        try await world.accounts.remove(remaining: "later", after: ended)
        try await world.accounts.remove(remaining: "app", after: ended)
        #expect(try await world.stored(ada)?.phoneNumber == nil)
        let project = world.project.id
        let left = try await world.store.read { (records) throws(ActionError) in
            try records.secondFactors(of: AccountID(rawValue: "ada"), in: project).map(\.id)
        }
        #expect(left == ["later"])
        #expect(try await world.mails().count { $0.kind == .notice(.secondFactorRemoved) } == 1)
    }

    /// The phone is a way in; a second factor is still asked for.
    @Test func `removes the phone that a reset left, and no second factor`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") {
            ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$")
            $0.setPhoneNumber(number, at: $0.createdAt)
        }
        try await world.enrollApp(for: "ada")
        world.clock.advance(by: .seconds(60))
        let code = try #require(try await world.send(.resetPassword))
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))
        guard case .used(let ended) = try await world.inspect(code) else { throw Missing() }
        #expect(try await world.accounts.remainingWays(after: ended).map(\.name) == ["+••• ••00"])
        try await world.accounts.remove(remaining: "app", after: ended)
        try await world.accounts.remove(remaining: nil, after: ended)
        #expect(try await world.stored(ada)?.phoneNumber == nil)
        // Once the account has another address, the receipt of the old one has no power.
        try await world.moveProved(to: "other@app.example")
        await expectRefused(.invalidOobCode) { try await world.accounts.remove(remaining: nil, after: ended) }
    }

    /// A6: an old mail must not remove what its owner has set up.
    @Test func `removes nothing half an hour after the press`() async throws {
        let world = try await worldWithPhone()
        let code = try #require(try await world.send(.resetPassword))
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))
        world.clock.advance(by: .minutes(30))
        guard case .used(let ended) = try await world.inspect(code) else { throw Missing() }
        #expect(try await world.accounts.remainingWays(after: ended).isEmpty)
        await expectRefused(.invalidOobCode) { try await world.accounts.remove(remaining: nil, after: ended) }
        #expect(try await world.stored(ada)?.phoneNumber == number)
    }

    /// A4, A6: the intruder's address is no former one of the owner.
    @Test func `who undid a change is never passed on to the address that the account left`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await world.moveProved(to: "eve@evil.example")
        try await world.redeem(try #require(try await world.mailedCode(.recoverEmail)))
        let account = try #require(try await world.stored(ada))
        let proved = try await world.store.read { (records) throws(ActionError) in
            try records.provedAddresses(of: account)
        }
        #expect(proved.map(\.email) == [.ada])
    }

    /// S6: someone who has the phone may have signed in since.
    @Test func `ends the sessions that were opened by what she removes`() async throws {
        let world = try await worldWithPhone()
        let code = try #require(try await world.send(.resetPassword))
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))
        guard case .used(let ended) = try await world.inspect(code) else { throw Missing() }
        world.clock.advance(by: .seconds(60))
        let session = try await world.signedAccounts().openSession(for: try #require(try await world.stored(ada)), by: .phone)
        try await world.accounts.remove(remaining: nil, after: ended)
        await expectRefused(.tokenExpired) { try await world.signedAccounts().refresh(session.refreshToken, in: world.project) }
        guard case .used(let later) = try await world.inspect(code) else { throw Missing() }
        #expect(try await world.accounts.remainingWays(after: later).isEmpty)
    }

    @Test func `an older undo link of an address ends when its user says that the change was theirs`() async throws {
        let world = try await World()
        let first = try await world.issue(.recoverEmail)
        var back = AccountChange()
        back.email = .ada
        _ = try await world.change(back)
        let second = try #require(try await world.send(.recoverEmail))
        guard case .live = try await world.inspect(first) else { throw Missing() }
        _ = try await world.accounts.redeem(try await world.inspect(second).pending(), with: .press(.itWasMe))
        guard case .withdrawn = try await world.inspect(first) else { throw Missing() }
    }

    /// C11, even if an admin has confirmed the address since the page was shown.
    @Test func `a user who did not make the account ends the other links of its address`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        let codes = [try #require(try await world.send(.verifyEmail)), try #require(try await world.send(.verifyEmail))]
        let pending = try await world.inspect(codes[0]).pending()
        var change = AccountChange()
        change.emailVerified = true
        _ = try await world.change(change, byAdmin: true)
        guard case .live = try await world.inspect(codes[1]) else { throw Missing() }
        _ = try await world.accounts.redeem(pending, with: .press(.notMine))
        guard case .withdrawn = try await world.inspect(codes[1]) else { throw Missing() }
    }

    /// An intruder may have changed the language of the account since.
    @Test func `the reset after an undo has the language of the undo link`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        var account = try #require(try await world.stored(ada))
        account.language = "de"
        let changed = account
        try await world.store.transaction { (records) throws(ActionError) in try records.update(changed) }
        let reset = try #require(try await world.redeem(code, with: .press()).passwordReset)
        #expect(reset.link.contains("?lang=en&"))
    }

    @Test func `a phone and a second factor that are set up in the moment of an undo are the owner's`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        try await world.redeem(code)
        var account = try #require(try await world.stored(ada))
        account.setPhoneNumber(number, at: world.clock.now())
        let changed = account
        try await world.store.transaction { (records) throws(ActionError) in try records.update(changed) }
        try await world.enrollApp(for: "ada")
        guard case .used(let ended) = try await world.inspect(code) else { throw Missing() }
        #expect(try await world.accounts.remainingWays(after: ended).isEmpty)
    }

    /// An account that has had a phone for a minute.
    private func worldWithPhone() async throws -> World {
        let world = try await World()
        try await world.account("ada@app.example") {
            $0.emailVerified = true
            $0.setPhoneNumber(number, at: $0.createdAt)
        }
        world.clock.advance(by: .seconds(60))
        return world
    }

    /// A6: only the link that was used has this power.
    @Test func `the owner of a mailbox removes nothing by a link that was withdrawn`() async throws {
        let world = try await worldWithPhone()
        let withdrawn = try #require(try await world.send(.resetPassword))
        try await world.redeem(try #require(try await world.send(.resetPassword)), with: .newPassword("a quiet long phrase"))
        guard case .withdrawn(let ended) = try await world.inspect(withdrawn) else { throw Missing() }
        #expect(try await world.accounts.remainingWays(after: ended).isEmpty)
        await expectRefused(.invalidOobCode) { try await world.accounts.remove(remaining: nil, after: ended) }
        #expect(try await world.stored(ada)?.phoneNumber == number)
    }

    /// A press of that link accepts the account as it is.
    @Test func `the owner of a mailbox who confirmed the address is not offered to remove a phone`() async throws {
        let world = try await worldWithPhone()
        let code = try #require(try await world.send(.verifyEmail))
        try await world.redeem(code)
        guard case .used(let ended) = try await world.inspect(code) else { throw Missing() }
        #expect(try await world.accounts.remainingWays(after: ended).isEmpty)
        await expectRefused(.invalidOobCode) { try await world.accounts.remove(remaining: nil, after: ended) }
    }

    /// Each button would be refused.
    @Test func `the owner of a mailbox is not offered to remove a phone of an account that is disabled`() async throws {
        let world = try await worldWithPhone()
        let code = try #require(try await world.send(.resetPassword))
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))
        var change = AccountChange()
        change.disabled = true
        _ = try await world.change(change, byAdmin: true)
        guard case .used(let ended) = try await world.inspect(code) else { throw Missing() }
        #expect(try await world.accounts.remainingWays(after: ended).isEmpty)
        await expectRefused(.userDisabled) { try await world.accounts.remove(remaining: nil, after: ended) }
    }
}

@Suite struct `The deletion of an account` {
    private let ada = AccountID(rawValue: "ada")

    private func told(_ world: World) async throws -> [String] {
        try await world.mails().filter { $0.kind == .notice(.accountDeleted) }.map(\.to).sorted()
    }

    /// A1: only proved addresses are told of changes, and nothing that a session can do ends an
    /// undo link. A7: the deletion of an account is told to each address that it proved.
    @Test func `by a session is told to its proved address, and to each with an undo link`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await world.moveProved(to: "eve@evil.example")
        try await world.accounts.delete(try #require(try await world.stored(ada)), in: world.project)
        #expect(try await told(world) == ["ada@app.example", "eve@evil.example"])
        #expect(try await world.stored(ada) == nil)
    }

    @Test func `by a session is not told to an address that nobody proved`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        try await world.accounts.delete(try #require(try await world.stored(ada)), in: world.project)
        #expect(try await world.mails().isEmpty)
    }

    @Test func `by an admin is told to nobody`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await world.accounts.erasure.delete(try #require(try await world.stored(ada)))
        #expect(try await world.mails().isEmpty)
    }
}
