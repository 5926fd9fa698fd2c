import Store
import Testing
import World

@testable import Accounts

@Suite struct `Linking a provider` {
    private let ada = AccountID(rawValue: "ada")

    private func identity(_ email: EmailAddress? = .ada, isVerified: Bool = true, id: String = "g-1") -> VerifiedIdentity {
        VerifiedIdentity(
            provider: "google.com", rawID: id, email: email, isEmailVerified: isVerified, profile: .init(fullName: "Ada L"),
            rawUserInfo: "{}")!
    }

    /// An anonymous account keeps its id and becomes permanent.
    @Test(arguments: [true, false]) func `gives an anonymous account an address`(_ isVerified: Bool) async throws {
        let world = try await World()
        let guest = try await world.account(nil)
        let account = try await world.accounts.link(identity(isVerified: isVerified), to: guest, in: world.project)
        #expect(account.id == ada && account.email == .ada && account.emailVerified == isVerified && account.displayName == "Ada L")
        #expect(try await world.profile(ada)?.isAnonymous == false)
    }

    /// I9: sessions from before the address was verified end; the password of the user stays.
    @Test func `verifies the account's own address`() async throws {
        let world = try await World()
        let before = try await world.account("ada@app.example") { $0.passwordHash = "$scrypt$" }
        let accounts = try await world.signedAccounts()
        let session = try await accounts.openSession(for: before, by: .password)
        let seen = try #require(try await world.stored(ada))
        let account = try await world.accounts.link(identity(), to: seen, in: world.project)
        #expect(account.emailVerified && account.passwordHash == "$scrypt$")
        await expectRefused(.tokenExpired) { try await accounts.refresh(session.refreshToken, in: world.project) }
    }

    @Test func `keeps another address than the provider's`() async throws {
        let world = try await World()
        let before = try await world.account("other@app.example")
        let account = try await world.accounts.link(identity(), to: before, in: world.project)
        #expect(account.email == before.email && !account.emailVerified)
    }

    /// I10: a user of a provider is linked to one account at most.
    @Test func `is refused if the provider's user is linked already`() async throws {
        let world = try await World()
        let first = try await world.account("ada@app.example")
        let second = try await world.account("other@app.example", id: "other")
        let linked = try await world.accounts.link(identity(), to: first, in: world.project)
        for account in [linked, second] {
            await expectRefused(.federatedUserIDAlreadyLinked) { try await world.accounts.link(identity(), to: account, in: world.project) }
        }
    }

    @Test func `is refused if the address belongs to another account`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        let guest = try await world.account(nil, id: "guest")
        await expectRefused(.emailExists) { try await world.accounts.link(identity(), to: guest, in: world.project) }
        var sharing = world
        sharing.project.signIn.sharesAddresses = true
        let account = try await sharing.accounts.link(identity(), to: guest, in: sharing.project)
        #expect(account.email == nil)
    }

    @Test func `replaces the account's link to the same provider`() async throws {
        let world = try await World()
        let before = try await world.account("other@app.example")
        _ = try await world.accounts.link(identity(id: "g-1"), to: before, in: world.project)
        _ = try await world.accounts.link(identity(id: "g-2"), to: before, in: world.project)
        #expect(try await world.profile(ada)?.linkedProviders.map(\.rawID) == ["g-2"])
    }

    /// S8: the link may be an intruder's. An address that was never verified may be a stranger's.
    @Test(arguments: [true, false]) func `is told to the owner of the account`(_ isVerified: Bool) async throws {
        let world = try await World()
        let before = try await world.account("other@app.example") { $0.emailVerified = isVerified }
        _ = try await world.accounts.link(identity(), to: before, in: world.project)
        let mails = try await world.mails()
        #expect(mails.map(\.kind) == (isVerified ? [.notice(.providerAdded)] : []))
        #expect(mails.allSatisfy { $0.to == "other@app.example" })
    }

    /// V2: the notices of one account do not take the turns of another's.
    @Test func `is told in turns of the account`() async throws {
        let world = try await World()
        for name in ["ada", "eve"] {
            try await world.account("\(name)@app.example", id: name) { $0.emailVerified = true }
            for id in ["1", "2"] {
                let seen = try #require(try await world.stored(AccountID(rawValue: name)))
                _ = try await world.accounts.link(identity(nil, id: name + id), to: seen, in: world.project)
            }
        }
        let mails = try await world.store.mails(limit: 5)
        let sources = Dictionary(grouping: mails) { $0.account }.mapValues { Set($0.map(\.source)) }
        #expect(mails.count == 4 && sources.count == 2 && sources.values.allSatisfy { $0.count == 1 && !$0.contains(0) })
        #expect(Set(sources.values).count == 2)
    }

    @Test func `is refused if the account has changed or is gone`() async throws {
        let world = try await World()
        let before = try await world.account("ada@app.example")
        var stale = before
        stale.passwordHash = "$scrypt$another"
        let seen = stale
        await expectRefused(.tokenExpired) { try await world.accounts.link(identity(), to: seen, in: world.project) }
        try await world.accounts.erasure.delete(before)
        await expectRefused(.userNotFound) { try await world.accounts.link(identity(), to: before, in: world.project) }
    }
}
