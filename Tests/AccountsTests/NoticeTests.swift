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
