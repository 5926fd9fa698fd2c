import Accounts
import Base
import Store
import Testing
import World

/// Changes of the linked providers, phone number and second factors of an account.
@Suite struct `A sign-in method of an account` {
    private let ada = AccountID(rawValue: "ada")
    private let google = LinkedProvider(provider: "google.com", rawID: "1234")
    private let github = LinkedProvider(provider: "github.com", rawID: "77")
    private let phone = SecondFactor(id: "f1", kind: .phone, displayName: "Phone", phoneNumber: "+15555550101", enrolledAt: .start)
    private let totp = SecondFactor(id: "f2", kind: .totp, sealedKey: [1], enrolledAt: .start)

    private func linked(_ world: World) async throws -> [LinkedProvider] { try await profile(world).linkedProviders }

    private func profile(_ world: World) async throws -> Accounts.Profile {
        try #require(try await world.signedAccounts().profiles([.id(ada)], in: world.project.id).first)
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
        _ = try await world.accounts.signIn(try await world.inspect(code).pending(), as: .ada)
        #expect(try await linked(world) == (wasProven ? [google] : []))
    }

    @Test func `is unlinked by its own client, and the others and the sessions stay`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.phoneNumber = PhoneNumber("+15555550123") }
        for link in [google, github] { try await byAdmin(world) { $0.link = link } }
        let accounts = try await world.signedAccounts()
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
        await expectRefused(.tokenExpired) { try await world.accounts.update(seen, with: late, in: world.project) }
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
            try await world.accounts.update(bob, with: stolen, byAdmin: true, in: world.project)
        }
    }

    /// S7: Sessions that were opened before the second factor was added end.
    @Test func `ends every session when a second factor is added`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        let accounts = try await world.signedAccounts()
        let session = try await accounts.openSession(for: try #require(try await world.stored(ada)), by: .password)
        try await byAdmin(world) { $0.secondFactors = [phone, totp] }
        await expectRefused(.tokenExpired) { try await accounts.refresh(session.refreshToken, in: world.project) }
        await expectRefused(.tokenExpired) { try await accounts.account(behind: session.idToken, in: world.project.id) }
        #expect(try await profile(world).secondFactors == [phone, totp])
    }

    @Test func `keeps the order in which second factors were given`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        var older = SecondFactor(id: "f0", kind: .phone, phoneNumber: "+15555550102", enrolledAt: Timestamp(milliseconds: 0))
        for list in [[totp, phone], [phone, totp], [phone, older, totp], [totp, older]] {
            try await byAdmin(world) { $0.secondFactors = list }
            #expect(try await profile(world).secondFactors == list)
        }
        older.displayName = "Old"
        let renamed = [older, totp]
        try await byAdmin(world) { $0.secondFactors = renamed }
        #expect(try await profile(world).secondFactors == renamed)
    }

    /// S8: The user is notified of each removed factor. Setting the same list again or renaming a
    /// factor sends no mail and ends no session.
    @Test func `sends a notice when a second factor is removed`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = true }
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

    /// SDKs fail on an undo link that names no factor.
    @Test func `without the second factor has nothing for the undo link`() async throws {
        let world = try await World()
        let code = try await world.issue(.revertSecondFactorAddition)
        var change = AccountChange()
        change.secondFactors = []
        _ = try await world.change(change)
        guard case .withdrawn = try await world.inspect(code) else { throw Missing() }
    }

    /// The sign-in methods of an account, those that the project offers, those that are removed,
    /// and whether that leaves none.
    struct Removal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var hasEmail = true
        var hasPhone = false
        var offersEmail = true
        var offersGitHub = true
        var offersPhone = true
        var unlinks: Set<String> = []
        let isLast: Bool
    }

    private static let removals = [
        Removal(testDescription: "one of two providers", hasEmail: false, unlinks: ["google.com"], isLast: false),
        Removal(testDescription: "both providers", hasEmail: false, unlinks: ["google.com", "github.com"], isLast: true),
        Removal(testDescription: "both providers, and an address stays", unlinks: ["google.com", "github.com"], isLast: false),
        Removal(
            testDescription: "both providers, and a phone number stays", hasEmail: false, hasPhone: true,
            unlinks: ["google.com", "github.com"], isLast: false),
        Removal(
            testDescription: "both providers, and a phone number stays that is no way in", hasEmail: false, hasPhone: true,
            offersPhone: false, unlinks: ["google.com", "github.com"], isLast: true),
        Removal(
            testDescription: "everything", hasPhone: true, unlinks: ["google.com", "github.com", "phone", "password"], isLast: true),
        Removal(
            testDescription: "both providers where an address is no way in", offersEmail: false, unlinks: ["google.com", "github.com"],
            isLast: true),
        Removal(
            testDescription: "one of two providers, where the other is not offered", hasEmail: false, offersGitHub: false,
            unlinks: ["google.com"], isLast: true),
        Removal(testDescription: "what is not there", unlinks: ["apple.com"], isLast: false),
    ]

    private func world(_ removal: Removal) async throws -> World {
        let world = try await World { project in
            project.signIn.keepsLastMethod = true
            (project.signIn.password, project.signIn.emailLink) = (removal.offersEmail, removal.offersEmail)
            project.signIn.phone = removal.offersPhone
            for id in ["google.com", "github.com"] { project.providers[id] = IdentityProvider(id: id, clientIDs: ["shop"]) }
            project.providers["github.com"]?.isEnabled = removal.offersGitHub
        }
        try await world.account(removal.hasEmail ? "ada@app.example" : nil) {
            $0.phoneNumber = removal.hasPhone ? PhoneNumber("+15555550123") : nil
        }
        for link in [google, github] { try await byAdmin(world) { $0.link = link } }
        return world
    }

    private func change(_ removal: Removal) -> AccountChange {
        var change = AccountChange()
        change.unlinks = removal.unlinks
        change.deletesPhoneNumber = removal.unlinks.contains("phone")
        change.deletesEmail = removal.unlinks.contains("password")
        return change
    }

    /// I11: no client removes the last way to sign in where the project keeps it, even two at once.
    @Test(arguments: removals) func `is kept by a project that keeps the last one`(_ removal: Removal) async throws {
        let world = try await world(removal)
        let before = try await profile(world)
        let change = change(removal)
        #expect(change.removesLastSignIn(of: before, in: world.project) == removal.isLast)
        guard removal.isLast else {
            _ = try await world.change(change)
            return
        }
        await expectRefused(.operationNotAllowed) { try await world.change(change) }
        #expect(try await profile(world).account == before.account)
        #expect(try await linked(world) == before.linkedProviders)
        // An admin may, and so may everyone where the project does not keep it.
        var free = world
        free.project.signIn.keepsLastMethod = false
        // A caller that saw another way, which is gone.
        await expectRefused(.tokenExpired) { [free] in
            try await free.accounts.update(before.account, with: change, mayRemoveLastSignIn: false, in: free.project)
        }
        _ = try await free.change(change)
    }

    @Test(arguments: removals) func `may be removed by an admin`(_ removal: Removal) async throws {
        _ = try await world(removal).change(change(removal), byAdmin: true)
    }

    /// I11: two clients that unlink one provider each at once.
    @Test func `stays if two are removed at once`() async throws {
        let world = try await world(Removal(testDescription: "", hasEmail: false, isLast: false))
        let seen = try await profile(world).account
        let removed = await withTaskGroup(of: Bool.self) { group in
            for id in ["google.com", "github.com"] {
                group.addTask {
                    var change = AccountChange()
                    change.unlinks = [id]
                    return (try? await world.accounts.update(seen, with: change, in: world.project)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(removed == 1)
        #expect(try await linked(world).count == 1)
    }

    /// Firebase's rules: the password goes with the address, the number with the phone, and a
    /// provider alone.
    @Test func `is removed with what belongs to it`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") {
            ($0.emailLinkSignIn, $0.emailVerified) = (true, true)
            $0.phoneNumber = PhoneNumber("+15555550123")
        }
        for link in [google, github] { try await byAdmin(world) { $0.link = link } }
        var change = AccountChange()
        change.deletesEmailLinkSignIn = true
        change.unlinks = ["google.com"]
        _ = try await world.change(change)
        let account = try #require(try await world.stored(ada))
        #expect(!account.emailLinkSignIn && account.emailVerified && account.email == .ada && account.phoneNumber != nil)
        #expect(try await linked(world) == [github])
    }

    @Test func `is not missed by an account that never had one`() async throws {
        let world = try await World()
        try await world.account(nil)
        #expect(!AccountChange().removesLastSignIn(of: try await profile(world), in: world.project))
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
