import Accounts
import Store
import Testing
import World

/// Attacks by a person who had access to the account earlier.
@Suite struct `An intruder` {
    private let ada = AccountID(rawValue: "ada")

    /// C12: A new link is offered for verifications, resets and sign-ins, never for a change of
    /// address.
    @Test func `cannot renew a change of address that a reset withdrew`() async throws {
        let world = try await World()
        let change = try await world.issue(.verifyAndChangeEmail)
        try await world.redeem(try #require(try await world.send(.resetPassword)), with: .newPassword("a quiet long phrase"))
        guard case .withdrawn(let ended) = try await world.inspect(change) else { throw Missing() }
        #expect(ended.recipient == nil)
        let before = try await world.mails().count
        try await world.accounts.sendAgain(ended)
        #expect(try await world.mails().count == before)
    }

    /// A1: a mistyped address at sign-up is a stranger's mailbox.
    @Test func `whose address an account left without proving it gets no mail and no undo link`() async throws {
        let world = try await World()
        _ = try await world.account("mistyped@app.example") { $0.passwordHash = "$scrypt$" }
        var (address, password, removal) = (AccountChange(), AccountChange(), AccountChange())
        (address.email, password.password, removal.deletesEmail) = (.ada, "a quiet long phrase", true)
        for change in [password, address, removal] { _ = try await world.change(change) }
        #expect(try await world.mails().isEmpty)
    }

    /// I9: the mail about the number went to the intruder's address.
    @Test(arguments: [nil, PhoneNumber("+15005550100")])
    func `keeps no phone number linked after a change of address`(_ owners: PhoneNumber?) async throws {
        let world = try await World()
        _ = try await world.account("ada@app.example") {
            $0.emailVerified = true
            $0.setPhoneNumber(owners, at: $0.createdAt)
        }
        world.clock.advance(by: .seconds(60))
        let now = world.clock.now()
        let account = try #require(try await world.stored(ada))
        var change = AccountChange()
        change.email = EmailAddress("eve@evil.example")
        _ = try await world.change(change)
        let undo = try #require(try await world.mailedCode(.recoverEmail))
        try await world.store.transaction { (records) throws(ActionError) in
            var changed = try records.account(account.id, in: account.project) ?? account
            changed.setPhoneNumber(PhoneNumber("+15005550199"), at: now)
            try records.update(changed)
        }
        try await world.redeem(undo)
        #expect(try await world.stored(ada).map { $0.email == .ada && $0.phoneNumber == nil } == true)
    }

    /// I9: an account that was made in advance gives nothing to its maker once the owner arrives.
    @Test func `does not take the number of the owner, whose undo keeps it`() async throws {
        let world = try await World()
        let number = PhoneNumber("+15005550100")
        _ = try await world.account("ada@app.example") { ($0.emailVerified, $0.phoneNumber) = (true, number) }
        var change = AccountChange()
        change.email = EmailAddress("eve@evil.example")
        _ = try await world.change(change)
        try await world.redeem(try #require(try await world.mailedCode(.recoverEmail)))
        #expect(try await world.stored(ada)?.phoneNumber == number)
    }

    /// S6: A sign-in that was proven before a reset is refused after it, even within the same
    /// second.
    @Test func `gets nothing from a sign-in that a reset overtook`() async throws {
        let world = try await World()
        let code = try await world.issue(.resetPassword)
        let accounts = try await world.signedAccounts()
        let proven = try #require(try await world.stored(ada))
        let session = try await accounts.openSession(for: proven, by: .password)
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))

        await expectRefused(.tokenExpired) { try await accounts.openSession(for: proven, by: .password) }
        await expectRefused(.tokenExpired) { try await accounts.account(behind: session.idToken, in: world.project.id) }
        var change = AccountChange()
        change.password = "the intruder's phrase"
        let late = change
        await expectRefused(.tokenExpired) { try await world.accounts.update(proven, with: late, in: world.project) }
    }

    @Test func `lets the owner sign in within the second of the reset`() async throws {
        let world = try await World()
        try await world.redeem(try await world.issue(.resetPassword), with: .newPassword("a quiet long phrase"))
        let accounts = try await world.signedAccounts()
        let session = try await accounts.openSession(for: try #require(try await world.stored(ada)), by: .password)
        #expect(try await accounts.account(behind: session.idToken, in: world.project.id).id == ada)
        #expect(try await accounts.refresh(session.refreshToken, in: world.project).account.id == ada)
    }

    @Test func `who registered another's address loses every session when the owner signs in by link`() async throws {
        let world = try await World()
        let code = try await world.issue(.signIn)
        let accounts = try await world.signedAccounts()
        let squatter = try await accounts.openSession(for: try #require(try await world.stored(ada)), by: .password)
        let owner = try await world.accounts.signIn(try await world.inspect(code).pending(), as: .ada)
        #expect(owner.account.id == ada)
        #expect(owner.account.passwordHash == nil)
        await expectRefused(.tokenExpired) { try await accounts.refresh(squatter.refreshToken, in: world.project) }
    }

    /// C16: An account that signed up with the freed address and has not verified it loses it.
    @Test func `cannot stand in the way of a recovery`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        try await world.account("ada@app.example", id: "squatter")
        try await world.redeem(code)
        #expect(try await world.stored(ada)?.email == .ada)
        #expect(try await world.stored(AccountID(rawValue: "squatter"))?.email == nil)
    }

    @Test func `does not lose an address that somebody has proven`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        try await world.account("ada@app.example", id: "other") { $0.emailVerified = true }
        await expectRefused(.emailExists) { try await world.redeem(code) }
        guard case .live = try await world.inspect(code) else { throw Missing() }
    }

    @Test func `gets no undo link when an admin gives the address back`() async throws {
        let world = try await World()
        let owners = try await world.issue(.verifyAndChangeEmail)
        try await world.redeem(owners)
        let undo = try #require(try await world.mailedCode(.recoverEmail))
        var change = AccountChange()
        change.email = .ada
        _ = try await world.change(change, byAdmin: true)
        let newest = try #require(try await world.mails().first)
        #expect(newest.kind == .notice(.emailChanged) && newest.to == "new@app.example")
        #expect(newest.link == nil)
        guard case .withdrawn = try await world.inspect(undo) else { throw Missing() }
    }

    @Test func `cannot plant an undo link by changing there and back`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await world.moveProved(to: "intruder@evil.example")
        let owners = try #require(try await world.mailedCode(.recoverEmail))
        try await world.moveProved(to: "ada@app.example")
        let newest = try #require(try await world.mails().first)
        #expect(newest.kind == .notice(.emailChanged) && newest.to == "intruder@evil.example" && newest.link == nil)
        guard case .live = try await world.inspect(owners) else { throw Missing() }
    }

    /// A1: the owner goes back by hand, and confirms her address. The intruder's undo is the
    /// younger one, and ends.
    @Test(arguments: [true, false])
    func `loses the undo link of an address that was proved after the owner's, when she returns`(_ byReset: Bool) async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = true }
        try await world.moveProved(to: "intruder@evil.example")
        var back = AccountChange()
        back.email = .ada
        _ = try await world.change(back)
        let intruders = try #require(try await world.mailedCode(.recoverEmail))
        guard case .live = try await world.inspect(intruders) else { throw Missing() }
        if byReset {
            try await world.redeem(try #require(try await world.send(.resetPassword)), with: .newPassword("a quiet long phrase"))
        } else {
            try await world.redeem(try #require(try await world.send(.verifyEmail)))
        }
        guard case .withdrawn = try await world.inspect(intruders) else { throw Missing() }
    }

    /// C11: several codes of one purpose may be live, and the first success withdraws the others.
    @Test func `cannot use a second sign-in link after the first`() async throws {
        let world = try await World()
        let first = try await world.issue(.signIn)
        let second = try #require(try await world.send(.signIn))
        _ = try await world.accounts.signIn(try await world.inspect(first).pending(), as: .ada)
        guard case .withdrawn = try await world.inspect(second) else { throw Missing() }
    }

    /// S7: a link is one factor, and changes nothing of an account with two.
    @Test func `is not signed in by a link alone if there is a second factor`() async throws {
        let world = try await World()
        _ = try await world.issue(.revertSecondFactorAddition)
        let code = try #require(try await world.send(.signIn))
        let before = try await world.stored(ada)
        let signIn = try await world.accounts.signIn(try await world.inspect(code).pending(), as: .ada)
        #expect(try await world.stored(ada) == before && signIn.account == before)
        let accounts = try await world.signedAccounts()
        await expectRefused(.tokenExpired) { try await accounts.openSession(for: signIn.account, by: .password) }
        guard case .needsSecondFactor = try await accounts.signIn(signIn.account, by: .password) else { throw Missing() }
    }

    /// C16, F6: the mail that could undo the factor went to the intruder's address.
    @Test func `cannot keep the owner out by a second factor after a change of address`() async throws {
        let world = try await World()
        let change = try await world.issue(.verifyAndChangeEmail)
        try await world.enrollApp(for: "ada", factor: "owners")
        world.clock.advance(by: .seconds(1))
        try await world.redeem(change)
        let undo = try #require(try await world.mailedCode(.recoverEmail))
        try await world.enrollApp(for: "ada", factor: "intruders")
        try await world.redeem(undo)
        let project = world.project.id
        let factors = try await world.store.read { (records) throws(ActionError) in
            try records.secondFactors(of: ada, in: project)
        }
        #expect(factors.map(\.id) == ["owners"])
    }

    /// The owner receives an undo link even if the new address belonged to another account before.
    @Test func `cannot move an account in silence to an address that another account left`() async throws {
        let world = try await World()
        try await world.account("left@app.example", id: "decoy")
        var leave = AccountChange()
        leave.email = EmailAddress("elsewhere@app.example")
        let decoy = try #require(try await world.stored(AccountID(rawValue: "decoy")))
        _ = try await world.accounts.update(decoy, with: leave, in: world.project)
        _ = try await world.account("ada@app.example") { $0.emailVerified = true }
        var take = AccountChange()
        take.email = EmailAddress("left@app.example")
        _ = try await world.change(take)
        let mail = try #require(try await world.mails().first)
        #expect(mail.kind == .action(.recoverEmail))
        #expect(mail.to == "ada@app.example")
    }

    /// The request was authenticated before a reset and arrives after it.
    @Test func `cannot change the address by a request from before a reset`() async throws {
        let world = try await World()
        let code = try await world.issue(.resetPassword)
        let seen = try #require(try await world.stored(ada))
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))
        var request = CodeRequest(.verifyAndChangeEmail, for: .account(seen), with: ApprovedSettings(in: world.project))
        request.newEmail = EmailAddress("intruder@app.example")
        let late = request
        await expectRefused(.tokenExpired) { try await world.accounts.send(late) }
        await expectRefused(.tokenExpired) { try await world.accounts.delete(seen, in: world.project) }
    }

    @Test func `loses every undo link when an admin gives the account a third address`() async throws {
        let world = try await World()
        let code = try await world.issue(.recoverEmail)
        var change = AccountChange()
        change.email = EmailAddress("third@app.example")
        _ = try await world.change(change, byAdmin: true)
        guard case .withdrawn = try await world.inspect(code) else { throw Missing() }
    }

    /// An admin's change to an account that was read earlier does not count as a change of its
    /// address, which was changed in the meantime.
    @Test func `does not get the owner's undo link withdrawn by an admin who changes something else`() async throws {
        let world = try await World()
        let account = try await world.account("ada@app.example") { $0.emailVerified = true }
        let seen = try #require(try await world.stored(account.id))
        var take = AccountChange()
        take.email = EmailAddress("intruder@app.example")
        _ = try await world.change(take)
        var rename = AccountChange()
        rename.displayName = .set("Ada")
        _ = try await world.accounts.update(seen, with: rename, byAdmin: true, in: world.project)
        let undo = try #require(try await world.mailedCode(.recoverEmail))
        try await world.redeem(undo)
        #expect(try await world.stored(ada)?.email == .ada)
    }
}
