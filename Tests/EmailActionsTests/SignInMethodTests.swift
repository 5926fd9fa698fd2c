import Accounts
import EmailActions
import Store
import Testing
import World

/// Changes of the linked providers, phone number and second factors of an account.
@Suite struct `A sign-in method of an account` {
    private let ada = AccountID(rawValue: "ada")
    private let google = LinkedProvider(provider: "google.com", rawID: "1234")
    private let github = LinkedProvider(provider: "github.com", rawID: "77")
    private let phone = SecondFactor(id: "f1", kind: .phone, displayName: "Phone", phoneNumber: "+15555550101", enrolledAt: .start)
    private let totp = SecondFactor(id: "f2", kind: .totp, enrolledAt: .start)

    private func linked(_ world: World) async throws -> [LinkedProvider] { try await profile(world).linkedProviders }

    private func profile(_ world: World) async throws -> Accounts.Profile {
        try #require(try await world.accounts().profiles([.id(ada)], in: world.project.id).first)
    }

    @discardableResult
    private func byAdmin(_ world: World, _ edit: (inout AccountChange) -> Void) async throws -> Account {
        var change = AccountChange()
        edit(&change)
        return try await world.change(change, byAdmin: true)
    }

    /// S6: A reset unlinks all providers, because an intruder may have linked them.
    @Test func `of a provider is unlinked by a password reset`() async throws {
        let world = try await World()
        let code = try await world.issue(.resetPassword)
        try await byAdmin(world) { $0.link = google }
        #expect(try await linked(world) == [google])
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))
        #expect(try await linked(world).isEmpty)
    }

    /// The first proof of an address unlinks all providers, because the account may have been
    /// created by a person who does not own the address.
    @Test(arguments: [false, true])
    func `of a provider is unlinked when a link first verifies the address`(_ wasProven: Bool) async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = wasProven }
        try await byAdmin(world) { $0.link = google }
        let code = try #require(try await world.send(.signIn))
        _ = try await world.actions.signIn(try await world.inspect(code).pending(), as: .ada)
        #expect(try await linked(world) == (wasProven ? [google] : []))
    }

    @Test func `is unlinked by its own client, and the others and the sessions stay`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.phoneNumber = PhoneNumber("+15555550123") }
        for link in [google, github] { try await byAdmin(world) { $0.link = link } }
        let accounts = try await world.accounts()
        let session = try await accounts.openSession(for: try #require(try await world.stored(ada)), by: .password)
        var change = AccountChange()
        change.unlinks = ["google.com", "unknown.example"]
        change.deletesPhoneNumber = true
        _ = try await world.change(change)
        #expect(try await linked(world) == [github])
        #expect(try await world.stored(ada)?.phoneNumber == nil)
        #expect(try await accounts.account(behind: session.idToken, in: world.project.id).id == ada)
    }

    /// The request was authenticated before a reset and arrives after it.
    @Test func `is not unlinked by a request from before a reset`() async throws {
        let world = try await World()
        let code = try await world.issue(.resetPassword)
        let seen = try #require(try await world.stored(ada))
        try await world.redeem(code, with: .newPassword("a quiet long phrase"))
        try await byAdmin(world) { $0.link = google }
        var change = AccountChange()
        change.unlinks = ["google.com"]
        let late = change
        await expectRefused(.tokenExpired) { try await world.actions.update(seen, with: late, in: world.project) }
        #expect(try await linked(world) == [google])
    }

    /// A change is applied completely or not at all: if its phone number or provider belongs to
    /// another account, the account stays as it was.
    @Test func `is refused if it belongs to another account, and nothing changes`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        try await world.account("bob@app.example", id: "bob") { $0.phoneNumber = PhoneNumber("+15555550123") }
        try await byAdmin(world) { $0.link = google }
        let before = try await world.stored(ada)
        var change = AccountChange()
        change.displayName = .set("Countess")
        change.unlinks = ["google.com"]
        change.phoneNumber = PhoneNumber("+15555550123")
        let taken = change
        await expectRefused(.phoneNumberExists) { try await world.change(taken, byAdmin: true) }
        #expect(try await world.stored(ada) == before)
        #expect(try await linked(world) == [google])
        let bob = try #require(try await world.stored(AccountID(rawValue: "bob")))
        var theft = AccountChange()
        theft.link = google
        let stolen = theft
        await expectRefused(.federatedUserIDAlreadyLinked) {
            try await world.actions.update(bob, with: stolen, byAdmin: true, in: world.project)
        }
    }

    /// S7: Sessions that were opened before the second factor was added end.
    @Test func `ends every session when a second factor is added`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        let accounts = try await world.accounts()
        let session = try await accounts.openSession(for: try #require(try await world.stored(ada)), by: .password)
        try await byAdmin(world) { $0.secondFactors = [phone, totp] }
        await expectRefused(.invalidRefreshToken) { try await accounts.refresh(session.refreshToken, in: world.project.id) }
        await expectRefused(.tokenExpired) { try await accounts.account(behind: session.idToken, in: world.project.id) }
        #expect(try await profile(world).secondFactors == [phone, totp])
    }

    /// S8: The user is notified of each removed factor. Setting the same list again or renaming a
    /// factor sends no mail and ends no session.
    @Test func `sends a notice when a second factor is removed`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        try await byAdmin(world) { $0.secondFactors = [phone, totp] }
        let validSince = try await world.stored(ada)?.validSince
        var renamed = phone
        renamed.displayName = "Mobile"
        for list in [[phone, totp], [renamed, totp]] { try await byAdmin(world) { $0.secondFactors = list } }
        #expect(try await profile(world).secondFactors == [renamed, totp])
        #expect(try await world.mails().isEmpty)
        try await byAdmin(world) { $0.secondFactors = [totp] }
        #expect(try await profile(world).secondFactors == [totp])
        #expect(try await world.mails().map(\.kind) == [.notice(.secondFactorRemoved)])
        #expect(try await world.stored(ada)?.validSince == validSince)
    }

    /// An admin's change withdraws older links, which could otherwise remove a factor that the
    /// admin added under the same id.
    @Test func `with a second factor keeps it if the undo link is older than an admin's change`() async throws {
        let world = try await World()
        let code = try await world.issue(.revertSecondFactorAddition)
        let other = SecondFactor(id: "phone-1", kind: .phone, phoneNumber: "+15555550199", enrolledAt: .start)
        try await byAdmin(world) { $0.secondFactors = [other] }
        guard case .withdrawn = try await world.inspect(code) else { throw Missing() }
        #expect(try await profile(world).secondFactors == [other])
    }

    /// The providers to unlink, whether the account has an address, and whether the change removes
    /// the last way to sign in. If no provider is unlinked, the address is deleted.
    @Test(arguments: [
        (["google.com"], false, false), (["google.com", "github.com"], true, false), (["github.com", "google.com"], false, true),
        ([], true, true),
    ])
    func `is the last one if no other is left`(_ unlinks: [String], _ hasEmail: Bool, _ isLast: Bool) async throws {
        let world = try await World()
        try await world.account(hasEmail ? "ada@app.example" : nil)
        for link in [google, github] where !unlinks.isEmpty { try await byAdmin(world) { $0.link = link } }
        var change = AccountChange()
        change.unlinks = Set(unlinks)
        if unlinks.isEmpty { change.deletesEmail = true }
        #expect(change.strands(try await profile(world)) == isLast)
    }

    @Test func `is not missed by an account that never had one`() async throws {
        let world = try await World()
        try await world.account(nil)
        #expect(!AccountChange().strands(try await profile(world)))
    }

    @Test func `may have its dates set by an admin`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        let account = try await byAdmin(world) {
            $0.createdAt = Timestamp(milliseconds: 1)
            $0.lastLoginAt = Timestamp(milliseconds: 2)
        }
        #expect([account.createdAt, account.lastLoginAt] == [Timestamp(milliseconds: 1), Timestamp(milliseconds: 2)])
        #expect(try await world.stored(ada) == account)
    }
}

extension Timestamp {
    fileprivate static let start = Timestamp(seconds: 1_800_000_000)
}
