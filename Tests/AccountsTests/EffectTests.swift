import Accounts
import Store
import Testing
import World

@Suite struct `Applying a code` {
    private let ada = AccountID(rawValue: "ada")

    @Test func `verifies the address`() async throws {
        let world = try await World()
        let outcome = try await world.redeem(try await world.issue(.verifyEmail))
        #expect(outcome.account == ada)
        #expect(try await world.stored(ada)?.emailVerified == true)
    }

    /// S6, S8, S10: A reset ends older sessions, verifies the address and notifies the user.
    @Test func `resets the password`() async throws {
        let world = try await World()
        let code = try await world.issue(.resetPassword)
        let accounts = try await world.signedAccounts()
        let before = try #require(try await world.stored(ada))
        let sessions = try await [
            accounts.openSession(for: before, by: .password),
            accounts.openSession(for: before, by: .password),
        ]
        world.clock.advance(by: .seconds(5))
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))

        let account = try #require(try await world.stored(ada))
        #expect(account.emailVerified)
        #expect(account.validSince == world.clock.now())
        for session in sessions {
            await expectRefused(.tokenExpired) { try await accounts.refresh(session.refreshToken, in: world.project) }
            await expectRefused(.tokenExpired) { try await accounts.account(behind: session.idToken, in: world.project.id) }
        }
        #expect(
            try await accounts.signIn(email: .ada, password: "a quiet long phrase", in: world.project.id, hidesAccounts: true).id == ada)
        #expect(try await world.mails().first?.kind == .notice(.passwordChanged))
    }

    /// S7: A reset does not sign in, and does not remove the second factor.
    @Test func `keeps second factors when it resets the password`() async throws {
        let world = try await World()
        _ = try await world.issue(.revertSecondFactorAddition)
        let code = try #require(try await world.send(.resetPassword))
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))
        let project = world.project.id
        let factors = try await world.store.read { (records) throws(ActionError) in
            try records.secondFactors(of: AccountID(rawValue: "ada"), in: project)
        }
        #expect(factors.count == 1)
    }

    /// S8: The old address receives a mail with a link that undoes the change.
    @Test func `changes the address and tells the old one`() async throws {
        let world = try await World()
        try await world.redeem(try await world.issue(.verifyAndChangeEmail))
        let account = try #require(try await world.stored(ada))
        #expect(account.email?.value == "new@app.example")
        #expect(account.emailVerified)
        #expect(account.initialEmail == .ada)
        let mail = try #require(try await world.mails().first)
        #expect(mail.kind == .action(.recoverEmail))
        #expect(mail.to == "ada@app.example")
    }

    /// C16: `recoverEmail` restores the old address, ends sessions and offers a new password.
    @Test func `restores the old address`() async throws {
        let world = try await World()
        let outcome = try await world.redeem(try await world.issue(.recoverEmail))
        #expect(outcome.email == "ada@app.example")
        #expect(try await world.stored(ada)?.email == .ada)
        #expect(try await world.stored(ada)?.emailVerified == true)
        // The intruder's address was never proved, so it hears nothing.
        let mails = try await world.mails()
        #expect(mails.map(\.kind) == [.notice(.emailRestored), .action(.recoverEmail)])
        #expect(mails.allSatisfy { $0.to == "ada@app.example" })
    }

    @Test func `removes the second factor`() async throws {
        let world = try await World()
        let outcome = try await world.redeem(try await world.issue(.revertSecondFactorAddition))
        #expect(outcome.done.factorName == "+15550100")
        #expect(try await world.mails().first?.kind == .notice(.secondFactorRemoved))
    }

    /// The undo link of a later change cannot be used against the owner: the owner's older undo
    /// link stays live.
    @Test func `keeps the owner's undo link when an intruder's is used`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await world.moveProved(to: "first@evil.example")
        let owners = try #require(try await world.mailedCode(.recoverEmail))
        try await world.moveProved(to: "second@evil.example")
        let intruders = try #require(try await world.mailedCode(.recoverEmail))

        try await world.redeem(intruders)
        guard case .live = try await world.inspect(owners) else { throw Missing() }
        try await world.redeem(owners)
        #expect(try await world.stored(ada)?.email == .ada)
    }

    @Test func `ends the undo links of addresses that were proved after the restored one`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await world.moveProved(to: "first@evil.example")
        let owners = try #require(try await world.mailedCode(.recoverEmail))
        try await world.moveProved(to: "second@evil.example")
        let intruders = try #require(try await world.mailedCode(.recoverEmail))

        try await world.redeem(owners)
        guard case .withdrawn = try await world.inspect(intruders) else { throw Missing() }
        let newest = try await world.mails().prefix(2)
        #expect(newest.map(\.kind) == [.notice(.emailRestored), .notice(.addressLeft)])
        #expect(newest.map(\.to) == ["ada@app.example", "second@evil.example"])
        let account = try #require(try await world.stored(ada))
        let proved = try await world.store.read { (records) throws(ActionError) in
            try records.provedAddresses(of: account)
        }
        #expect(proved.map(\.email) == [.ada])
    }

    /// A1: the intruder may know the password, and may have set up other ways to sign in.
    @Test func `ends the password, and what was set up since the change, when it restores the address`() async throws {
        let world = try await World()
        let number = PhoneNumber("+15005550100")
        try await world.account("ada@app.example") {
            ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$")
            $0.setPhoneNumber(number, at: $0.createdAt)
        }
        world.clock.advance(by: .seconds(60))
        try await world.moveProved(to: "intruder@evil.example")
        try await world.redeem(try #require(try await world.mailedCode(.recoverEmail)))
        let restored = try #require(try await world.stored(ada))
        #expect(restored.passwordHash == nil && restored.phoneNumber == number && restored.email == .ada)
    }

    /// A page only forwards a sign-in code to the app, which applies it through the API.
    @Test func `never spends a sign-in code`() async throws {
        let world = try await World()
        let code = try await world.issue(.signIn)
        await expectRefused(.invalidOobCode) { try await world.redeem(code) }
        guard case .live = try await world.inspect(code) else { throw Missing() }
    }

    /// C10: a code works only for the address that it was made for.
    @Test(arguments: [
        (Action.resetPassword, RedeemInput.newPassword("a quiet long phrase")), (.verifyAndChangeEmail, .call()),
        (.verifyEmail, .call(.notMine)),
    ])
    func `a code is refused once its account has another address`(_ action: Action, _ input: RedeemInput) async throws {
        let world = try await World()
        let code = try await world.issue(action)
        var account = try #require(try await world.stored(ada))
        account.email = EmailAddress("other@app.example")
        let changed = account
        try await world.store.transaction { (records) throws(ActionError) in try records.update(changed) }
        await expectRefused(.invalidOobCode) { try await world.redeem(code, with: input) }
        #expect(try await world.stored(ada) == changed)
    }

    @Test func `a reset that was mailed before sets no password once passwords are switched off`() async throws {
        var world = try await World()
        let code = try await world.issue(.resetPassword)
        world.project.signIn.password = false
        await expectRefused(.passwordLoginDisabled) { [world] in
            try await world.redeem(code, with: .newPassword("a quiet long phrase"))
        }
    }
}
