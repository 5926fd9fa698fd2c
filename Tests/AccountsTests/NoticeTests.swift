import Base
import Network
import Store
import Testing
import World
@testable import Accounts

/// The notices to owners of accounts, by what causes them.
@Suite struct `A notice` {
    private let ada = AccountID(rawValue: "ada")

    /// Something that happens to the account `ada`, and the notice that tells of it.
    enum Cause: CaseIterable {
        case provider, phone, providerByAdmin, sessionsByAdmin, registration, reset

        var notice: LetterKind.Notice {
            switch self {
            case .provider, .phone, .providerByAdmin: .providerRemoved
            case .sessionsByAdmin: .sessionsEnded
            case .registration: .registrationTried
            case .reset: .noPassword
            }
        }
    }

    private func world(
        hidesAccounts: Bool = true, isProved: Bool = true, _ change: (inout Project) -> Void = { _ in }
    ) async throws -> World {
        let world = try await World { project in
            project.hidesAccounts = hidesAccounts
            project.passwordByReset = false
            project.providers["google.com"] = IdentityProvider(id: "google.com", clientIDs: ["shop"])
            change(&project)
        }
        try await world.account("ada@app.example") { account in
            account.emailVerified = isProved
            account.setPhoneNumber(PhoneNumber("+15555550145"), at: account.createdAt)
        }
        for link in [LinkedProvider(provider: "google.com", rawID: "1"), LinkedProvider(provider: "github.com", rawID: "2")] {
            var change = AccountChange()
            change.link = link
            _ = try await world.change(change, byAdmin: true)
        }
        return world
    }

    private func happens(_ cause: Cause, in world: World, from client: Client = .peer("192.0.2.1")) async throws {
        var change = AccountChange()
        switch cause {
        case .provider, .providerByAdmin: change.unlinks = ["google.com"]
        case .phone: change.deletesPhoneNumber = true
        case .sessionsByAdmin: change.validSince = world.clock.now()
        case .registration:
            var new = NewAccount(project: world.project.id)
            (new.email, new.password) = (.ada, "a quiet long phrase")
            await expectRefused(.emailExists) { _ = try await world.accounts.signUp(new, from: client, in: world.project) }
            return
        case .reset:
            let request = CodeRequest(.resetPassword, for: .address(.ada), with: ApprovedSettings(in: world.project))
            #expect(try await world.accounts.send(request) == nil)
            return
        }
        _ = try await world.change(change, byAdmin: cause == .providerByAdmin || cause == .sessionsByAdmin)
    }

    private func notices(in world: World) async throws -> [LetterKind] { try await world.mails().map(\.kind) }

    @Test(arguments: Cause.allCases) func `a notice tells the owner of a proved address, and no one else`(_ cause: Cause) async throws {
        let world = try await world()
        try await happens(cause, in: world)
        #expect(try await notices(in: world) == [.notice(cause.notice)])
        #expect(try await world.mails().first?.to == "ada@app.example")

        let unproved = try await self.world(isProved: false)
        guard cause != .reset else {
            // Its owner has to come by the reset.
            #expect(try await unproved.send(.resetPassword) != nil)
            return
        }
        try await happens(cause, in: unproved)
        #expect(try await notices(in: unproved).isEmpty)
    }

    /// V13: whatever the number of causes and of their sources.
    @Test(arguments: Cause.allCases.filter { $0.notice.pause != nil })
    func `a notice of a kind is mailed once in its time to an address`(_ cause: Cause) async throws {
        let world = try await world()
        let pause = try #require(cause.notice.pause)
        for number in 1...5 {
            try await happens(cause, in: world, from: .peer("192.0.\(number).1"))
            try await restore(in: world)
        }
        #expect(try await notices(in: world).filter { $0 == .notice(cause.notice) }.count == 1)
        world.clock.advance(by: pause - .seconds(1))
        try await happens(cause, in: world)
        #expect(try await notices(in: world).filter { $0 == .notice(cause.notice) }.count == 1)
        try await restore(in: world)
        world.clock.advance(by: .seconds(2))
        try await happens(cause, in: world)
        #expect(try await notices(in: world).filter { $0 == .notice(cause.notice) }.count == 2)
    }

    /// Gives the account back what was removed.
    private func restore(in world: World) async throws {
        var change = AccountChange()
        change.link = LinkedProvider(provider: "google.com", rawID: "1")
        change.phoneNumber = PhoneNumber("+15555550145")
        _ = try await world.change(change, byAdmin: true)
    }

    @Test(arguments: Cause.allCases.filter { NoticeSettings.configurable.contains($0.notice) })
    func `a notice is not mailed where the project does without`(_ cause: Cause) async throws {
        let world = try await world { $0.notices[cause.notice] = false }
        try await happens(cause, in: world)
        #expect(try await notices(in: world).isEmpty)
    }

    @Test func `a notice of what was removed names all of it`() async throws {
        let world = try await world()
        var change = AccountChange()
        (change.unlinks, change.deletesPhoneNumber) = (["google.com", "github.com", "apple.com"], true)
        _ = try await world.change(change)
        let mail = try #require(try await world.store.mails(limit: 9).first)
        #expect(try world.outbox.open(mail).provider == "GitHub · Google · +••• ••45")
    }

    @Test func `a notice of a sign-up is not mailed where an account is no secret, or admins sign up`() async throws {
        let world = try await world(hidesAccounts: false)
        try await happens(.registration, in: world)
        #expect(try await notices(in: world).isEmpty)
        let other = try await self.world()
        var new = NewAccount(project: other.project.id)
        (new.email, new.password, new.isByAdmin) = (.ada, "a quiet long phrase", true)
        await expectRefused(.emailExists) { _ = try await other.accounts.signUp(byAdmin: new, in: other.project) }
        #expect(try await notices(in: other).isEmpty)
    }

    /// An app that signs its own users out everywhere.
    @Test func `a notice of ended sessions is not mailed for the user's own wish`() async throws {
        let world = try await world()
        var change = AccountChange()
        change.validSince = world.clock.now()
        _ = try await world.change(change)
        #expect(try await notices(in: world).isEmpty)
    }

    // MARK: A new network

    private func usedWorld(_ change: (inout Project) -> Void = { $0.notices[.newNetwork] = true }) async throws -> World {
        let world = try await World(change)
        try await world.account("ada@app.example") { $0.emailVerified = true }
        return world
    }

    private func signIn(_ world: World, from peer: String, by provider: SignInProvider = .password) async throws {
        let account = try #require(try await world.stored(ada))
        let client = Client.peer(peer, userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0")
        _ = try await world.signedAccounts().signIn(account, by: provider, from: client, in: world.project)
    }

    @Test func `a sign-in from another network is told with its device, and one from a known network is not`() async throws {
        let world = try await usedWorld()
        for _ in 1...2 { try await signIn(world, from: "192.0.2.1") }
        #expect(try await notices(in: world).isEmpty, "the first session was told")
        try await signIn(world, from: "192.0.2.250")
        #expect(try await notices(in: world).isEmpty, "another host of the network")
        try await signIn(world, from: "198.51.100.1")
        #expect(try await notices(in: world) == [.notice(.newNetwork)])
        let letter = try world.outbox.open(try #require(try await world.store.mails(limit: 9).first))
        #expect(letter.device == ClientDevice(browser: "Firefox", system: "Linux"))
        // V13: strangers with the password and many networks fill no mailbox.
        for number in 1...9 { try await signIn(world, from: "203.0.\(number).1") }
        #expect(try await notices(in: world).count == 1)
        world.clock.advance(by: .hours(2))
        for peer in ["192.0.2.1", "198.51.100.1", "203.0.9.1"] { try await signIn(world, from: peer) }
        #expect(try await notices(in: world).count == 1)
        try await signIn(world, from: "203.0.113.1")
        #expect(try await notices(in: world).count == 2)
    }

    @Test func `a sign-in after months is told, even if no network is known any more`() async throws {
        let world = try await usedWorld()
        try await signIn(world, from: "192.0.2.1")
        world.clock.advance(by: Accounts.networkRetention + .hours(1))
        _ = try await world.store.purgeKnownNetworks(unseenSince: world.clock.now() + (.zero - Accounts.networkRetention))
        try await signIn(world, from: "198.51.100.1")
        #expect(try await notices(in: world) == [.notice(.newNetwork)])
    }

    @Test func `a first session here is not told, though the account was used before it was imported`() async throws {
        let world = try await World { $0.notices[.newNetwork] = true }
        try await world.account("ada@app.example") { ($0.emailVerified, $0.lastLoginAt) = (true, world.clock.now()) }
        try await signIn(world, from: "192.0.2.1")
        #expect(try await notices(in: world).isEmpty)
    }

    @Test func `a sign-in is not told of by default, nor to an address that was not proved, nor by custom token`() async throws {
        for world in [try await usedWorld { _ in }, try await World { $0.notices[.newNetwork] = true }] {
            if try await world.stored(ada) == nil { try await world.account("ada@app.example") }
            for peer in ["192.0.2.1", "198.51.100.1"] { try await signIn(world, from: peer) }
            #expect(try await notices(in: world).isEmpty)
        }
        let world = try await usedWorld()
        try await signIn(world, from: "192.0.2.1")
        _ = try await world.signedAccounts().signIn(by: CustomToken(unsigned: #"{"uid":"ada"}"#), in: world.project)
        #expect(try await notices(in: world).isEmpty)
    }

    @Test func `a sign-in with a second factor is told, too`() async throws {
        let world = try await usedWorld()
        try await signIn(world, from: "192.0.2.1")
        let app = try await world.enrollApp(for: "ada")
        let client = Client.peer("198.51.100.1")
        let accounts = try await world.signedAccounts()
        let seen = try #require(try await world.stored(ada))
        guard case .needsSecondFactor(let credential, _) = try await accounts.signIn(seen, by: .password, from: client, in: world.project)
        else { throw CancellationError() }
        let before = try await notices(in: world).filter { $0 == .notice(.newNetwork) }
        #expect(before.isEmpty, "the first factor opened no session")
        _ = try await accounts.finishSignIn(credential, with: .app(app.code, factor: "app"), from: client, in: world.project)
        #expect(try await notices(in: world).filter { $0 == .notice(.newNetwork) }.count == 1)
    }

    // MARK: No account

    private func strangersWorld(_ change: (inout Project) -> Void = { $0.notices[.noAccount] = true }) async throws -> World {
        try await World { project in
            project.hidesAccounts = true
            change(&project)
        }
    }

    @discardableResult
    private func asksForReset(
        of email: String, in world: World, as action: Action = .resetPassword, from peer: String = "192.0.2.1",
        through accounts: Accounts? = nil
    ) async throws -> IssuedCode? {
        let request = CodeRequest(action, for: .address(try #require(EmailAddress(email))), with: ApprovedSettings(in: world.project))
        return try await (accounts ?? world.accounts).send(request, from: .peer(peer))
    }

    @Test func `a reset for an address without an account is told to it, once a day`() async throws {
        let world = try await strangersWorld()
        for peer in ["192.0.2.1", "198.51.100.1"] { try await asksForReset(of: "bob@app.example", in: world, from: peer) }
        #expect(try await world.mails().map(\.to) == ["bob@app.example"])
        #expect(try await notices(in: world) == [.notice(.noAccount)])
        try await asksForReset(of: "eve@app.example", in: world)
        #expect(try await notices(in: world).count == 2)
        world.clock.advance(by: .hours(24) + .seconds(1))
        try await asksForReset(of: "bob@app.example", in: world)
        #expect(try await notices(in: world).count == 3)
    }

    @Test func `a reset is answered by its link where there is an account`() async throws {
        let world = try await strangersWorld()
        try await world.account("ada@app.example")
        #expect(try await asksForReset(of: "ada@app.example", in: world) != nil)
        #expect(try await notices(in: world) == [.action(.resetPassword)])
    }

    @Test func `only a reset is told, only where accounts are hidden, and only if the project wants it`() async throws {
        let world = try await strangersWorld()
        let request = CodeRequest(.verifyEmail, for: .address(.ada), with: ApprovedSettings(in: world.project))
        _ = try await world.accounts.send(request, from: .admin)
        let silent = try await strangersWorld { _ in }
        try await asksForReset(of: "bob@app.example", in: silent)
        let open = try await strangersWorld { ($0.hidesAccounts, $0.notices[.noAccount]) = (false, true) }
        await expectRefused(.emailNotFound) { try await asksForReset(of: "bob@app.example", in: open) }
        for world in [world, silent, open] { #expect(try await notices(in: world).isEmpty) }
    }

    /// V2, V13: a stranger with a list of addresses.
    @Test func `ten mails an hour tell of unknown addresses for one source, and others get theirs`() async throws {
        let world = try await strangersWorld()
        let accounts = world.accounts(
            signedWith: nil,
            limits: world.limits(of: 1000, per: .hours(1), but: [.noAccountMailsPerSource: Limit.noAccountMailsPerSource.standard]))
        for number in 1...30 { try await asksForReset(of: "p\(number)@app.example", in: world, through: accounts) }
        #expect(try await notices(in: world).count == 10)
        try await asksForReset(of: "bob@app.example", in: world, from: "198.51.100.1", through: accounts)
        #expect(try await world.mails().contains { $0.to == "bob@app.example" })
    }

    /// B1, V6: where the notice is on, a reset for an unknown address asks the store what one for a
    /// known address asks.
    @Test func `a reset costs the same statements with and without an account, where the notice is on`() async throws {
        let counted = Counted()
        let world = try await World(counted: counted) { ($0.hidesAccounts, $0.notices[.noAccount]) = (true, true) }
        try await world.account("ada@app.example")
        var works: [Counted.Work] = []
        for email in ["ada@app.example", "bob@app.example", "bob@app.example"] {
            _ = counted.reset()
            try await asksForReset(of: email, in: world)
            works.append(counted.reset())
        }
        for index in works.indices { works[index].statements.removeAll { $0.contains("DELETE FROM mail") } }
        #expect(works[0] == works[1] && works[1] == works[2])
    }

    /// The sentence that it signs in by a provider would not be true.
    @Test func `a reset for a disabled account of a provider is answered by nothing`() async throws {
        let world = try await world { $0.notices[.noAccount] = true }
        var change = AccountChange()
        change.disabled = true
        _ = try await world.change(change, byAdmin: true)
        try await happens(.reset, in: world)
        #expect(try await notices(in: world).isEmpty)
    }

    /// Mails to unknown addresses have the turn of their source, and wait behind those that people
    /// asked for.
    @Test func `a mail that tells of no account waits for its turn`() async throws {
        let world = try await strangersWorld()
        try await asksForReset(of: "bob@app.example", in: world)
        let mail = try #require(try await world.store.mails(limit: 9).first)
        #expect(mail.source != 0 && !mail.kind.isAskedFor && mail.account == nil)
    }

    /// A reset that was mailed before, and one by an admin.
    @Test func `a reset gives no password where the project does without, whatever asked for it`() async throws {
        var world = try await world { $0.passwordByReset = true }
        let code = try #require(try await world.send(.resetPassword))
        world.project.passwordByReset = false
        await expectRefused(.passwordLoginDisabled) { try await world.redeem(code, with: .newPassword("a quiet long phrase")) }
        var request = CodeRequest(.resetPassword, for: .address(.ada), with: ApprovedSettings(in: world.project))
        (request.isByAdmin, request.mails) = (true, false)
        let asked = request
        await expectRefused(.passwordLoginDisabled) { _ = try await world.accounts.send(asked) }
        // With a password it is a change.
        var change = AccountChange()
        change.password = "another quiet phrase"
        _ = try await world.change(change, byAdmin: true)
        #expect(try await world.send(.resetPassword) != nil)
    }
}
