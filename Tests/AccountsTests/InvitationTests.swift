import AppLinks
import Base
import Store
import Testing
import World
@testable import Accounts

@Suite struct `An invitation` {
    private let password = "a quiet long phrase"

    @discardableResult
    private func invite(_ email: EmailAddress = .ada, named name: String? = nil, mails: Bool = true, in world: World) async throws
        -> InvitedAccount
    {
        try await world.accounts.invite(email, named: name, with: ApprovedSettings(in: world.project), mails: mails)
    }

    private func holder(of email: EmailAddress = .ada, in world: World) async throws -> Accounts.Profile? {
        try await world.accounts.profiles([.email(email)], in: world.project.id).first
    }

    private func invited(in world: World) async throws -> [AccountID] {
        var page = Accounts.PageRequest(limit: 100)
        page.isOfInvited = true
        return try await world.store.profiles(page, in: world.project.id).map(\.account.id)
    }

    @Test func `an invitation makes an account, and its link chooses the password and proves the address`() async throws {
        let world = try await World()
        let account = try await invite(named: "Ada", in: world)
        let mail = try #require(try await world.mails().first)
        #expect(mail.kind == .invitation && mail.to == "ada@app.example")
        #expect(mail.link?.contains("?invitation=1&") == true && mail.link?.contains("mode=resetPassword") == true)
        #expect(try await invited(in: world) == [account.id])
        let before = try #require(try await holder(in: world))
        #expect(before.account.displayName == "Ada" && !before.account.emailVerified && before.invitation?.madeAccount == true)

        let code = try #require(account.link?.code)
        world.clock.advance(by: .days(7) - .seconds(1))
        guard case .live(let pending) = try await world.inspect(code) else { throw NothingSent() }
        #expect(pending.passwordFacts == PasswordFacts(former: .never, acceptsInvitation: true, confirmsAddress: true))
        let outcome = try await world.redeem(code, with: .newPassword(password))
        #expect(outcome.account == account.id)
        let after = try #require(try await holder(in: world))
        #expect(after.account.emailVerified && after.account.displayName == "Ada" && after.invitation == nil)
        _ = try await world.accounts.signIn(email: .ada, password: password, in: world.project.id, hidesAccounts: true)
        #expect(try await invited(in: world).isEmpty)
        // No one has to hear of a change: the password is the first.
        #expect(try await world.mails().map(\.kind) == [.invitation])
    }

    @Test func `an invitation that is sent again leaves the former link, and the first press ends both`() async throws {
        let world = try await World()
        let first = try await invite(named: "Ada", in: world)
        world.clock.advance(by: .days(3))
        let second = try await invite(in: world)
        #expect(first.id == second.id)
        #expect(try await holder(in: world)?.account.displayName == "Ada")
        let codes = [first, second].compactMap { $0.link?.code }
        world.clock.advance(by: .days(4))
        guard case .expired = try await world.inspect(codes[0]) else { throw NothingSent() }
        let third = try #require(try await invite(in: world).link?.code)
        try await world.redeem(codes[1], with: .newPassword(password))
        await expectRefused(.invalidOobCode) { _ = try await world.inspect(third).pending() }
    }

    enum Use: CaseIterable { case password, phone, provider, session }

    /// V12.
    @Test(arguments: Use.allCases) func `an invitation leaves an account that someone can enter as it is`(_ use: Use) async throws {
        let world = try await World { $0.homeURL = try WebURL("https://app.example/") }
        try await world.account("ada@app.example") { account in
            if use == .password { account.passwordHash = "$scrypt$" }
            if use == .phone { account.phoneNumber = PhoneNumber("+15555550123") }
            if use == .session { account.lastLoginAt = world.clock.now() }
        }
        if use == .provider {
            var change = AccountChange()
            change.link = LinkedProvider(provider: "google.com", rawID: "1234")
            _ = try await world.change(change, byAdmin: true)
        }
        let before = try await world.stored(AccountID(rawValue: "ada"))
        let result = try await invite(named: "Eve", in: world)
        #expect(result.id.rawValue == "ada" && result.link == nil && result.isMailed)
        #expect(try await world.stored(result.id) == before)
        let mails = try await world.mails()
        #expect(mails.map(\.kind) == [.notice(.alreadyMember)] && mails.first?.link == "https://app.example/")
        #expect(try await invited(in: world).isEmpty)
        #expect(try await invite(mails: false, in: world).link == nil)
        #expect(try await world.mails().count == 1)
    }

    @Test func `an invitation takes an account that an admin made and no one has entered`() async throws {
        let world = try await World()
        let made = try await world.account("ada@app.example")
        let result = try await invite(in: world)
        #expect(result.id == made.id && result.link != nil)
        #expect(try await world.accounts.withdrawInvitation(of: .ada, in: world.project) == (made.id, false))
        #expect(try await world.stored(made.id) != nil)
        guard case .withdrawn = try await world.inspect(try #require(result.link?.code)) else { throw NothingSent() }
    }

    /// An account that was Eve's, who proved her address, or came by phone, and got Ada's since.
    enum Former: CaseIterable { case provedAddress, phone }

    /// - Returns: the account `eve`, with the address that it goes back to.
    private func anothersAccount(_ former: Former, in world: World) async throws -> (Account, back: EmailAddress?) {
        let moment = world.clock.now()
        let eve = try await world.account("eve@app.example", id: "eve") { account in
            (account.displayName, account.lastLoginAt, account.passwordHash) = ("Eve", moment, "$scrypt$")
            account.emailVerified = former == .provedAddress
            if former == .phone { (account.phoneNumber, account.enteredAt) = (PhoneNumber("+15555550123"), moment) }
        }
        world.clock.advance(by: .seconds(60))
        var change = AccountChange()
        change.email = .ada
        let account = try await world.accounts.update(eve, with: change, in: world.project).account
        return (account, former == .provedAddress ? eve.email : nil)
    }

    /// The ways in which the invited person comes.
    enum Coming: CaseIterable { case invitation, reset, signInLink, provider }

    @Test(arguments: Former.allCases, Coming.allCases)
    func `an invited person gets an account of their own at an address that another's account carries`(
        _ former: Former, _ coming: Coming
    ) async throws {
        let world = try await World {
            ($0.signUps, $0.providers["google.com"]) = (.closed, IdentityProvider(id: "google.com", clientIDs: ["shop"]))
        }
        let (others, back) = try await anothersAccount(former, in: world)
        let first = try await invite(named: "Ada", in: world)
        let again = try await invite(in: world)
        #expect(first.id != others.id && again.id == first.id && first.link != nil)
        #expect(try await world.stored(others.id) == others, "an invitation changes nothing")
        #expect(try await world.stored(first.id) == nil)
        #expect(try await invited(in: world) == [others.id])
        let letter = try world.outbox.open(try #require(try await world.store.mails(limit: 1).first))
        #expect(letter.kind == .invitation && letter.displayName == nil, "the name is another's")

        switch coming {
        case .invitation, .reset:
            let code =
                coming == .invitation ? try #require(again.link?.code) : try #require(try await world.send(.resetPassword))
            guard case .live(let pending) = try await world.inspect(code) else { throw NothingSent() }
            #expect(pending.passwordFacts == PasswordFacts(former: .never, acceptsInvitation: true, confirmsAddress: true))
            #expect(try await world.redeem(code, with: .newPassword(password)).account == first.id)
            _ = try await world.accounts.signIn(email: .ada, password: password, in: world.project.id, hidesAccounts: true)
        case .signInLink:
            let request = CodeRequest(.signIn, for: .address(.ada), with: ApprovedSettings(in: world.project))
            let code = try #require(try await world.accounts.send(request)?.code)
            #expect(try await world.accounts.signIn(try await world.inspect(code).pending(), as: .ada).account.id == first.id)
        case .provider:
            let identity = try #require(
                VerifiedIdentity(
                    provider: "google.com", rawID: "1", email: .ada, isEmailVerified: true, profile: .init(), rawUserInfo: "{}"))
            guard
                case (.signedIn(let account, let signedIn), _?) = try await world.signedAccounts()
                    .signIn(identity, creates: true, language: "de", from: .peer("192.0.2.1"), in: world.project)
            else { throw NothingSent() }
            #expect(account.id == first.id && signedIn.isNew)
        }
        let holder = try #require(try await holder(in: world)).account
        #expect(holder.id == first.id && holder.emailVerified && holder.displayName == "Ada")
        let left = try #require(try await world.stored(others.id))
        #expect(left.email == back && left.passwordHash == others.passwordHash && left.phoneNumber == others.phoneNumber)
        #expect(try await invited(in: world).isEmpty)
        for code in [first, again].compactMap({ $0.link?.code }) {
            if case .live = try await world.inspect(code) { Issue.record("the link works") }
        }
    }

    /// The account's user may own the mailbox as well, and is told of a reset like any other.
    @Test func `an invitation to another's account is a reset once the account has proved the address`() async throws {
        let world = try await World()
        let (others, _) = try await anothersAccount(.provedAddress, in: world)
        let result = try await invite(in: world)
        let request = CodeRequest(.verifyEmail, for: .account(others), with: ApprovedSettings(in: world.project))
        try await world.redeem(try #require(try await world.accounts.send(request)?.code))
        try await world.redeem(try #require(result.link?.code), with: .newPassword(password))
        #expect(try await holder(in: world)?.account.id == others.id)
        #expect(try await invited(in: world).isEmpty)
        #expect(try await world.mails().first?.kind == .notice(.passwordChanged))
    }

    @Test func `an invitation to another's account is withdrawn, and leaves the account`() async throws {
        let world = try await World()
        let (others, _) = try await anothersAccount(.phone, in: world)
        let result = try await invite(in: world)
        #expect(try await world.accounts.withdrawInvitation(of: .ada, in: world.project) == (result.id, false))
        guard case .withdrawn = try await world.inspect(try #require(result.link?.code)) else { throw NothingSent() }
        #expect(try await world.stored(others.id) == others)
        #expect(try await invited(in: world).isEmpty)
    }

    /// A back end may make an account with the id that the answer named.
    @Test func `an invitation to another's account makes an account with another id if the promised one was given away`() async throws {
        let world = try await World()
        let (others, _) = try await anothersAccount(.provedAddress, in: world)
        let result = try await invite(in: world)
        try await world.account(nil, id: result.id.rawValue)
        try await world.redeem(try #require(result.link?.code), with: .newPassword(password))
        let holder = try #require(try await holder(in: world)).account.id
        #expect(holder != others.id && holder != result.id)
    }

    /// Whatever the user of the other account does, the invited person does not get into it.
    @Test func `an invitation to another's account outlives what its user and admins do with it`() async throws {
        let world = try await World()
        let (others, _) = try await anothersAccount(.phone, in: world)
        let result = try await invite(in: world)
        let changes: [(inout AccountChange) -> Void] = [
            { $0.password = "another quiet phrase" }, { $0.validSince = world.clock.now() }, { $0.disabled = true },
            { $0.disabled = false },
        ]
        for (index, edit) in changes.enumerated() {
            var change = AccountChange()
            edit(&change)
            let seen = try #require(try await world.stored(others.id))
            _ = try await world.accounts.update(seen, with: change, byAdmin: index > 0, in: world.project)
        }
        #expect(try await invited(in: world) == [others.id])
        #expect(try await world.redeem(try #require(result.link?.code), with: .newPassword(password)).account == result.id)
        #expect(try await world.stored(others.id)?.passwordHash != nil)
    }

    @Test func `an invited person who takes the address back gets the promised account`() async throws {
        let world = try await World { $0.signUps = .closed }
        let (others, _) = try await anothersAccount(.provedAddress, in: world)
        let result = try await invite(in: world)
        let request = CodeRequest(.verifyEmail, for: .account(others), with: ApprovedSettings(in: world.project))
        let code = try #require(try await world.accounts.send(request)?.code)
        let link = ActionLink(action: .verifyEmail, code: code, apiKey: "shop-key")
        let press = Press(pageMadeAt: world.clock.now(), choice: .notMine)
        guard case .applied = try await world.accounts.press(link, press, in: world.project) else { throw NothingSent() }
        let holder = try #require(try await holder(in: world)).account
        #expect(holder.id == result.id && holder.emailVerified && holder.passwordHash == nil)
    }

    /// The account that stays of a merge is one that its user has entered.
    @Test func `an invitation ends with a merge, and with an admin's word that the account was entered`() async throws {
        let world = try await World()
        let result = try await invite(in: world)
        try await world.account("grace@app.example", id: "grace") { ($0.passwordHash, $0.lastLoginAt) = ("$scrypt$", world.clock.now()) }
        let merge = Merge(into: result.id, from: AccountID(rawValue: "grace"))
        _ = try await world.accounts.merging.merge(merge, in: world.project.id, language: "en")
        #expect(try await world.store.countInvitations(upTo: 9) == 0)

        let other = try await World()
        let account = try #require(try await other.stored(try await invite(in: other).id))
        var change = AccountChange()
        change.lastLoginAt = other.clock.now()
        _ = try await other.accounts.update(account, with: change, byAdmin: true, in: other.project)
        #expect(try await other.store.countInvitations(upTo: 9) == 0)
    }

    enum End: CaseIterable { case signInLink, customToken, passwordByAdmin, disabling, changeOfAddress }

    @Test(arguments: End.allCases) func `an invitation ends with the first use of the account, and with a change by an admin`(_ end: End)
        async throws
    {
        let world = try await World()
        let result = try await invite(in: world)
        let account = try #require(try await world.stored(result.id))
        switch end {
        case .signInLink:
            let request = CodeRequest(.signIn, for: .address(.ada), with: ApprovedSettings(in: world.project))
            let code = try #require(try await world.accounts.send(request)?.code)
            _ = try await world.accounts.signIn(try await world.inspect(code).pending(), as: .ada)
        case .customToken: _ = try await world.accounts.openSession(for: account, by: .custom)
        case .passwordByAdmin, .disabling, .changeOfAddress:
            var change = AccountChange()
            if end == .passwordByAdmin { change.password = password }
            if end == .disabling { change.disabled = true }
            if end == .changeOfAddress { change.email = EmailAddress("grace@app.example") }
            _ = try await world.accounts.update(account, with: change, byAdmin: true, in: world.project)
        }
        #expect(try await invited(in: world).isEmpty)
        // First, because the call below withdraws such links itself.
        if case .live = try await world.inspect(try #require(result.link?.code)) { Issue.record("the link works") }
        await expectRefused(.userNotFound) { _ = try await world.accounts.withdrawInvitation(of: .ada, in: world.project) }
        #expect(try await world.stored(result.id) != nil)
    }

    @Test func `an invitation that is withdrawn ends at once, with the account that it made`() async throws {
        let world = try await World()
        let result = try await invite(in: world)
        #expect(try await world.accounts.withdrawInvitation(of: .ada, in: world.project) == (result.id, true))
        #expect(try await world.stored(result.id) == nil)
        guard case .unknown = try await world.inspect(try #require(result.link?.code)) else { throw NothingSent() }
        #expect(try await world.mails().isEmpty)
        await expectRefused(.userNotFound) { _ = try await world.accounts.withdrawInvitation(of: .ada, in: world.project) }
    }

    @Test func `an invitation that has expired leaves the account, whose owner may ask for a reset`() async throws {
        let world = try await World { $0.lifetimes[.invitation] = .hours(1) }
        let result = try await invite(in: world)
        world.clock.advance(by: .hours(1))
        guard case .expired(let ended) = try await world.inspect(try #require(result.link?.code)) else { throw NothingSent() }
        #expect(try await invited(in: world) == [result.id])
        try await world.accounts.sendAgain(ended)
        let code = try #require(try await world.mailedCode(.resetPassword))
        #expect(try await world.inspect(code).pending().passwordFacts?.acceptsInvitation == true)
        try await world.redeem(code, with: .newPassword(password))
        #expect(try await invited(in: world).isEmpty)
    }

    @Test func `an invitation is refused where no one has a password, and for a disabled account`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.disabled = true }
        await expectRefused(.userDisabled) { try await invite(in: world) }
        let other = try await World { $0.signIn.password = false }
        await expectRefused(.passwordLoginDisabled) { try await invite(in: other) }
    }

    /// A mailbox that does not exist.
    @Test func `an invitation of a mailbox that does not exist says that no mail is sent`() async throws {
        let world = try await World()
        try await invite(in: world)
        let digest = world.outbox.digest(of: .ada, in: world.project.id)
        let moment = world.clock.now()
        for mail in try await world.store.lease(MailLease(limit: 9, until: moment + .seconds(60)), at: moment) {
            try await world.store.end(
                mail, as: .sent, DeliveryOutcome(.accepted, relay: "a", answer: "250"), keepsLetter: false, at: moment)
        }
        let bounce = try #require(Suppression(.bounce, of: digest, in: world.project.id, from: .sns, at: moment))
        #expect(try await world.store.suppress([bounce], by: nil, at: moment) == .counted(suppressed: 1))
        let result = try await invite(in: world)
        #expect(!result.isMailed && result.link != nil)
        #expect(try await world.store.lease(MailLease(limit: 9, until: moment + .seconds(60)), at: moment).isEmpty)
    }

    @Test func `an invitation to another's account begins an account in its language, and the event says so`() async throws {
        let world = try await World()
        _ = try await anothersAccount(.provedAddress, in: world)
        let result = try await world.accounts.invite(.ada, with: ApprovedSettings(in: world.project), in: "de")
        world.tellEvents()
        try await world.redeem(try #require(result.link?.code), with: .newPassword(password))
        #expect(try await world.stored(result.id)?.language == "de")
        let event = try #require(try await world.events().first { $0.account == result.id })
        #expect(([event.kind] + event.alsoKinds).contains(.invitationAccepted))
    }
}
