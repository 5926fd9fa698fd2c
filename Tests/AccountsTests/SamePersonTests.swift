import Base
import Foundation
import Store
import Testing
import World

@testable import Accounts

/// The ids of users at each provider, which decide whether two sign-ins are the same person's.
@Suite struct `The same person` {
    private static let ada = AccountID(rawValue: "ada")

    /// A row of the table in `Docs/internal/Ownership.md`.
    struct Provider: Sendable, CustomTestStringConvertible {
        let id: String
        /// Whether another id of another app may be the same user's.
        let isPerApp: Bool
        var testDescription: String { id }

        static let all = [
            Provider(id: "google.com", isPerApp: false), Provider(id: "apple.com", isPerApp: false),
            Provider(id: "microsoft.com", isPerApp: false), Provider(id: "github.com", isPerApp: false),
            Provider(id: "facebook.com", isPerApp: true), Provider(id: "oidc.acme", isPerApp: true),
        ]

        /// - Parameter app: the audience of the token.
        func identity(_ id: String, app: String?, isVerified: Bool = true, email: EmailAddress? = .ada) -> VerifiedIdentity {
            var identity = VerifiedIdentity(
                provider: self.id, rawID: id, email: email, isEmailVerified: isVerified, profile: .init(), rawUserInfo: "{}")!
            identity.audience = app
            return identity
        }
    }

    /// An account that its owner proved. She came to it through the provider, from the web app.
    private func world(_ provider: Provider, isVerified: Bool = true) async throws -> World {
        let world = try await World()
        try await world.account("ada@app.example") { ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$") }
        try await world.link(provider.identity("web-1", app: "shop-web", isVerified: isVerified).link, to: Self.ada)
        return world
    }

    private func signIn(_ identity: VerifiedIdentity, _ world: World) async throws -> (Account, ProviderSignIn.SignedIn) {
        guard case .signedIn(let account, let result) = try await world.accounts.signIn(identity, in: world.project) else {
            throw Missing()
        }
        return (account, result)
    }

    /// I18: at some providers the ids of two apps say nothing about each other.
    @Test(arguments: Provider.all) func `is not told from another by ids of two apps that each have their own`(_ row: Provider) async throws
    {
        let world = try await world(row)
        let (account, result) = try await signIn(row.identity("ios-1", app: "shop-ios"), world)
        #expect((account.id == Self.ada) == row.isPerApp && result.isRecycled == !row.isPerApp)
        #expect(try await world.stored(Self.ada)?.passwordHash == "$scrypt$")
        #expect(try await world.mails().isEmpty)
    }

    /// I18: in one app another id is another user, to whom the provider gave the address. Programs
    /// of admins write back what they have read.
    @Test(arguments: Provider.all, [false, true])
    func `is not the next user of the address in the same app`(_ row: Provider, isWrittenBack: Bool) async throws {
        let world = try await world(row)
        if isWrittenBack {
            let (seen, now) = (try #require(try await world.stored(Self.ada)), world.clock.now())
            try await world.store.transaction { (records) throws(ActionError) in
                let links = try records.linkedProviders(of: seen.id, in: seen.project)
                let stated = LinkedProvider(provider: row.id, rawID: "web-1", email: "ada@app.example")
                try records.insert(stated: stated, of: seen, after: links, at: now)
            }
        }
        let (account, result) = try await signIn(row.identity("web-2", app: "shop-web"), world)
        #expect(account.id != Self.ada && account.email == .ada && result.isRecycled && result.isNew)
        let former = try #require(try await world.profile(Self.ada))
        #expect(
            former.account.email == nil && former.account.passwordHash == "$scrypt$" && former.linkedProviders.map(\.rawID) == ["web-1"])
    }

    /// I18: two ids are two people only where they can be compared.
    @Test(arguments: Provider.all) func `has the same id in each app, or joins by a verified address`(_ row: Provider) async throws {
        let world = try await world(row)
        for app in ["shop-ios", "shop-web", "shop-ios"] {
            let (account, _) = try await signIn(row.identity(row.isPerApp ? app : "web-1", app: app), world)
            #expect(account.id == Self.ada && account.passwordHash == "$scrypt$")
        }
        #expect(try await world.mails().isEmpty)
    }

    /// I18: a claim of an address does not make its owner's own identity another person's.
    @Test(arguments: Provider.all) func `is not another because a link only claimed the address`(_ row: Provider) async throws {
        let world = try await world(row, isVerified: false)
        let (account, result) = try await signIn(row.identity("web-2", app: "shop-web"), world)
        #expect(account.id == Self.ada && account.passwordHash == "$scrypt$" && !result.isRecycled)
        #expect(try await world.mails().map(\.kind) == [.notice(.providerAdded)])
    }

    /// I18: an import has no token. What Google and Apple say counts as with Firebase.
    @Test(arguments: Provider.all) func `is another than an imported user only where Firebase would say so`(_ row: Provider) async throws {
        let world = try await World()
        var user = ImportedUser(Account(project: world.project.id, id: Self.ada, createdAt: world.clock.now()))
        user.account.setAddress(.ada, verified: true, at: world.clock.now())
        user.linkedProviders = [LinkedProvider(provider: row.id, rawID: "imported", email: "ADA@app.example")]
        let users = UserImport(store: world.store, passwords: world.passwords, now: world.clock.now, random: world.random.bytes)
        #expect(try await users.take([.success(user)], hashedBy: nil, existing: .refuse) == [.added])
        let (account, result) = try await signIn(row.identity("web-2", app: "shop-web"), world)
        let isAuthority = ["google.com", "apple.com"].contains(row.id)
        #expect((account.id != Self.ada) == isAuthority && result.isRecycled == isAuthority)
    }

    /// The table says what the code does.
    @Test func `is described for each provider`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "Docs/internal/Ownership.md"), encoding: .utf8)
        for row in Provider.all {
            #expect(IdentityProvider.Kind(id: row.id)?.mayIdentifyPerApp == row.isPerApp)
            let name = row.id.hasPrefix("oidc.") ? "oidc.*" : row.id
            let cells = text.split(separator: "\n").first { $0.hasPrefix("| `\(name)` |") }?.split(separator: "|")
            #expect(cells?.last?.contains("same app") == row.isPerApp, "\(name)")
        }
    }
}

/// Links that know a user of Microsoft by another id than `oid@tid`.
@Suite struct `A user of Microsoft` {
    private static let ada = AccountID(rawValue: "ada")
    private static let object = "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee"
    private static let directories = ["11111111-2222-3333-4444-555555555555", "66666666-2222-3333-4444-555555555555"]

    private func identity(
        _ directory: Int = 0, sub: String = "pairwise", email: EmailAddress? = nil, isVerified: Bool = false
    ) throws -> VerifiedIdentity {
        let user = try #require(MicrosoftUser(object: Self.object, directory: Self.directories[directory]))
        var identity = try #require(
            VerifiedIdentity(
                provider: MicrosoftUser.provider, rawID: user.rawID, email: email, isEmailVerified: isVerified, profile: .init(),
                rawUserInfo: "{}"))
        (identity.formerIDs, identity.audience) = ([sub, user.wireID], "shop-web")
        return identity
    }

    private func world(linkedTo rawID: String, email: String? = nil) async throws -> World {
        let world = try await World()
        try await world.account("ada@app.example") { ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$") }
        try await world.link(LinkedProvider(provider: MicrosoftUser.provider, rawID: rawID, email: email), to: Self.ada)
        world.clock.advance(by: .days(1))
        return world
    }

    private func accountID(_ identity: VerifiedIdentity, _ world: World) async throws -> AccountID? {
        guard case .signedIn(let account, _) = try await world.accounts.signIn(identity, in: world.project) else { return nil }
        return account.id
    }

    /// I17: imported from Firebase, or linked by an earlier version.
    @Test(arguments: [object, "pairwise"]) func `is found by an id of before, which is replaced`(_ rawID: String) async throws {
        let world = try await world(linkedTo: rawID)
        #expect(try await accountID(identity(), world) == Self.ada)
        #expect(try await world.profile(Self.ada)?.linkedProviders.map(\.rawID) == ["\(Self.object)@\(Self.directories[0])"])
        // The link is as old as it was.
        let (project, now) = (world.project.id, world.clock.now())
        try await world.store.transaction { (records) throws(ActionError) in
            try records.deleteLinkedProviders(of: Self.ada, in: project, since: now)
        }
        #expect(try await accountID(identity(), world) == Self.ada)
    }

    /// I17: sixteen digits say of whom they are, so nothing is bound.
    @Test func `of a personal account is found by its digits`() async throws {
        let personal = try #require(
            MicrosoftUser(object: "00000000-0000-0000-48d3-1887fa0e0ab2", directory: MicrosoftUser.personalAccounts))
        for rawID in [personal.rawID, "48d31887fa0e0ab2"] {
            let world = try await world(linkedTo: rawID)
            var identity = try #require(
                VerifiedIdentity(
                    provider: MicrosoftUser.provider, rawID: personal.rawID, email: nil, isEmailVerified: false, profile: .init(),
                    rawUserInfo: "{}"))
            identity.formerIDs = ["pairwise", personal.wireID]
            let accounts = try await world.signedAccounts()
            let found = try await accounts.profiles([.linked(provider: "microsoft.com", wireID: "48d31887fa0e0ab2")], in: world.project.id)
            #expect(found.map(\.account.id) == [Self.ada])
            #expect(try await accountID(identity, world) == Self.ada)
        }
    }

    /// I17: the first directory in which the user signs in is the user's, and stays it.
    @Test func `belongs to one directory from the first sign-in on`() async throws {
        let world = try await world(linkedTo: Self.object)
        #expect(try await accountID(identity(0), world) == Self.ada)
        #expect(try await accountID(identity(1), world) != Self.ada)
        #expect(try await accountID(identity(0), world) == Self.ada)
    }

    @Test func `belongs to one directory also if two sign in at once`() async throws {
        let world = try await world(linkedTo: Self.object)
        let identities = try [identity(0), identity(1)]
        let winners = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<20 {
                group.addTask { (try? await accountID(identities[number % 2], world)) == Self.ada }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 10)
    }

    /// S7: it opens nothing, and the second factor is still asked for.
    @Test func `with a second factor is bound to the directory, too`() async throws {
        let world = try await world(linkedTo: Self.object)
        try await world.enroll(of: Self.ada)
        #expect(try await accountID(identity(0), world) == Self.ada)
        #expect(try await accountID(identity(1), world) != Self.ada)
    }

    /// I17: by another app than the one whose `sub` an earlier version stored.
    @Test func `whom only another app knew joins by a verified address`() async throws {
        let world = try await world(linkedTo: "of-another-app", email: "ada@app.example")
        #expect(try await accountID(identity(email: .ada, isVerified: true), world) == Self.ada)
        #expect(try await world.stored(Self.ada)?.passwordHash == "$scrypt$")
        let other = try await self.world(linkedTo: "of-another-app", email: "ada@app.example")
        guard case .needsConfirmation = try await other.accounts.signIn(identity(email: .ada), in: other.project) else {
            Issue.record("joined by a claim")
            return
        }
    }

    /// I10, I17: an id of Firebase's is that of a bound link.
    @Test func `is linked to one account, by whichever id`() async throws {
        let world = try await world(linkedTo: "\(Self.object)@\(Self.directories[0])")
        let accounts = try await world.signedAccounts()
        let name = Accounts.Identifier.linked(provider: "microsoft.com", wireID: Self.object)
        #expect(try await accounts.profiles([name], in: world.project.id).map(\.account.id) == [Self.ada])
        try await world.account("eve@app.example", id: "eve")
        var change = AccountChange()
        change.link = LinkedProvider(provider: "microsoft.com", rawID: Self.object)
        let stated = change
        let eve = try #require(try await world.stored(AccountID(rawValue: "eve")))
        await expectRefused(.federatedUserIDAlreadyLinked) {
            try await world.accounts.update(eve, with: stated, byAdmin: true, in: world.project)
        }
        // An admin who states it again does not free it for another directory.
        _ = try await world.change(stated, byAdmin: true)
        #expect(try await accountID(identity(1), world) != Self.ada)

        let users = UserImport(store: world.store, passwords: world.passwords, now: world.clock.now, random: world.random.bytes)
        for (id, verdict) in [("linus", UserImport.Verdict?.none), ("ada", .overwritten)] {
            var user = ImportedUser(Account(project: world.project.id, id: AccountID(rawValue: id), createdAt: world.clock.now()))
            user.linkedProviders = [LinkedProvider(provider: "microsoft.com", rawID: Self.object)]
            let verdicts = try await users.take([.success(user)], hashedBy: nil, existing: .overwrite)
            if let verdict {
                #expect(verdicts == [verdict])
            } else {
                guard case .refused(.federatedUserIDAlreadyLinked, _)? = verdicts.first else {
                    Issue.record("\(verdicts)")
                    continue
                }
            }
        }
        #expect(try await world.profile(Self.ada)?.linkedProviders.map(\.rawID) == ["\(Self.object)@\(Self.directories[0])"])
    }

    @Test func `can be parted again from an account that was merged before the first sign-in`() async throws {
        let world = try await world(linkedTo: Self.object)
        try await world.account("eve@app.example", id: "eve")
        let merge = Merge(into: AccountID(rawValue: "eve"), from: Self.ada)
        _ = try await world.accounts.merging.merge(merge, in: world.project.id, language: "en")
        #expect(try await accountID(identity(), world) == merge.into)
        try await world.accounts.merging.unmerge(merge, in: world.project.id, language: "en")
        #expect(try await accountID(identity(), world) == Self.ada)
    }
}
