import Accounts
import Base
import Store
import Testing
import World

/// An account whose user signs in by phone, and wishes for a first address.
@Suite struct `The first address of an account` {
    private let ada = AccountID(rawValue: "ada")
    private let wanted = EmailAddress("ada@app.example")!

    private func world(hides: Bool = true) async throws -> World {
        let world = try await World { $0.hidesAccounts = hides }
        let now = world.clock.now()
        try await world.account(nil) { $0.setPhoneNumber(PhoneNumber("+15550100123"), at: now) }
        world.clock.advance(by: .days(3))
        return world
    }

    private func ask(_ world: World, for address: String) async throws -> OobCode? {
        var request = CodeRequest(
            .verifyAndChangeEmail, for: .account(try #require(try await world.stored(ada))), with: ApprovedSettings(in: world.project))
        request.newEmail = EmailAddress(address)
        return try await world.accounts.send(request)?.code
    }

    /// A5: an address that comes together with its proof ends nothing.
    @Test(arguments: [true, false]) func `a first address is proved by its link, and sessions and phone stay`(_ hides: Bool) async throws {
        let world = try await world(hides: hides)
        let accounts = try await world.signedAccounts()
        let session = try await accounts.openSession(for: try #require(try await world.stored(ada)), by: .phone)
        let code = try #require(try await ask(world, for: wanted.value))
        world.clock.advance(by: .seconds(5))
        let pending = try await world.inspect(code).pending()
        #expect(pending.email == nil && pending.newEmail == wanted.value)
        #expect(pending.waysIn?.names == ["+••• ••23"])
        #expect(pending.accountCreatedAt == (try await world.stored(ada))?.createdAt)

        #expect(try await world.redeem(code).email == wanted.value)
        let account = try #require(try await world.stored(ada))
        #expect(account.email == wanted && account.emailVerified && account.phoneNumber?.value == "+15550100123")
        #expect(try await accounts.account(behind: session.idToken, in: world.project.id).id == ada)
        let proved = try await world.store.read { (records) throws(ActionError) in
            try records.provedAddresses(of: account)
        }
        #expect(proved[wanted] != nil)
        // There was no address before, which a link could restore.
        #expect(try await world.mails().map(\.kind) == [.action(.verifyAndChangeEmail)])
    }

    @Test func `the mail for a first address names the account and its age`() async throws {
        let world = try await world()
        _ = try await ask(world, for: wanted.value)
        let mail = try #require(try await world.store.mails(limit: 1).first)
        let letter = try world.outbox.open(mail)
        #expect(letter.recipient == wanted && letter.account == nil && letter.otherEmail == nil)
        #expect(letter.waysIn?.names == ["+••• ••23"])
        #expect(letter.accountCreatedAt == (try await world.stored(ada))?.createdAt)
        #expect(letter.template == nil)
    }

    /// B1: where accounts are hidden, known and unknown addresses get the same answer for the same
    /// work.
    @Test func `a taken first address gets no mail, and is refused only where accounts are not hidden`() async throws {
        for hides in [true, false] {
            let world = try await world(hides: hides)
            try await world.account(wanted.value, id: "bob")
            if hides {
                #expect(try await ask(world, for: wanted.value) == nil)
            } else {
                await expectRefused(.emailExists) { try await ask(world, for: wanted.value) }
            }
            #expect(try await world.mails().isEmpty)
        }
    }

    @Test func `a first address that was taken after its mail is refused`() async throws {
        let world = try await world()
        let code = try #require(try await ask(world, for: wanted.value))
        try await world.account(wanted.value, id: "bob")
        await expectRefused(.emailExists) { try await world.redeem(code) }
        #expect(try await world.stored(ada)?.email == nil)
    }

    /// A2: a request for another address ends the live links of the former request, and no undo
    /// link.
    @Test func `the newest request for a first address ends the older one`() async throws {
        let world = try await world()
        let mistyped = try #require(try await ask(world, for: "tpyo@app.example"))
        let code = try #require(try await ask(world, for: wanted.value))
        guard case .withdrawn(let ended) = try await world.inspect(mistyped) else { throw Missing() }
        #expect(ended.isSuperseded)
        try await world.redeem(code)
        #expect(try await world.stored(ada)?.email == wanted)
    }

    @Test func `a first address ends the links that would add another one`() async throws {
        let world = try await world()
        let code = try #require(try await ask(world, for: "other@app.example"))
        let request = CodeRequest(.signIn, for: .address(wanted), with: ApprovedSettings(in: world.project))
        let link = try #require(try await world.accounts.send(request)?.code)
        let account = try #require(try await world.stored(ada))
        _ = try await world.accounts.signIn(try await world.inspect(link).pending(), as: wanted, linking: account)
        #expect(try await world.stored(ada)?.email == wanted)
        guard case .withdrawn = try await world.inspect(code) else { throw Missing() }
    }

    /// A5: the page of the owner's link must not lead to the mail for a stranger's account.
    @Test func `a link for a first address does not count links of other accounts as newer`() async throws {
        let world = try await world()
        let code = try #require(try await ask(world, for: wanted.value))
        world.clock.advance(by: .seconds(60))
        let stranger = try await world.account(nil, id: "stranger")
        var request = CodeRequest(.verifyAndChangeEmail, for: .account(stranger), with: ApprovedSettings(in: world.project))
        request.newEmail = wanted
        let other = try #require(try await world.accounts.send(request)?.code)
        #expect(try await world.inspect(code).pending().newerSince == nil)
        let again = try #require(try await ask(world, for: wanted.value))
        #expect(try await world.inspect(other).pending().newerSince == nil)
        world.clock.advance(by: .seconds(60))
        _ = try await ask(world, for: wanted.value)
        #expect(try await world.inspect(again).pending().newerSince == world.clock.now())
    }

    /// An erasure forgets the mails to the addresses of the account, and of no other.
    @Test func `a requested address is not the account's before it is proved`() async throws {
        let world = try await world()
        _ = try await ask(world, for: wanted.value)
        let account = try #require(try await world.stored(ada))
        let addresses = try await world.store.read { (records) throws(ActionError) in
            try records.addresses(of: account)
        }
        #expect(addresses.isEmpty)
    }

    @Test func `an account without an address cannot ask to verify it`() async throws {
        let world = try await world()
        let account = try #require(try await world.stored(ada))
        await expectRefused(.missingEmail) {
            try await world.accounts.send(CodeRequest(.verifyEmail, for: .account(account), with: ApprovedSettings(in: world.project)))
        }
    }
}
