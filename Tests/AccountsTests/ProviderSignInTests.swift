import Store
import Testing
import World

@testable import Accounts

/// Sign-ins with a provider, and the accounts afterwards.
@Suite struct `A sign-in with a provider` {
    /// The account that has the provider's address before.
    enum Holder: String, Sendable, CaseIterable {
        case none, unverified, verified, disabled, withSecondFactor, unverifiedWithSecondFactor
        /// The account is linked to another user of the provider.
        case recycled
    }

    enum Link: String, Sendable, CaseIterable {
        /// The provider's user is linked to nothing, to the account with the address, or to
        /// another account.
        case none, holder, other
    }

    enum Setting: String, Sendable, CaseIterable { case usual, sharesAddresses, signUpsByLink }

    /// The result of a sign-in.
    enum Outcome: Sendable, Equatable {
        case new(hasAddress: Bool)
        /// The holder's account, unchanged but for the link.
        case holder
        /// The holder's account with everything that was there before, its address verified now.
        case holderVerified
        /// The holder's account without anything that was there before.
        case holderCleared
        /// A new account with the address, which the holder's account loses.
        case passedOn
        /// The account signs in, and nothing of it was changed.
        case holderUnchanged
        case other
        case confirmation
        case refused(Refusal)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let holder: Holder
        let link: Link
        let isVerified: Bool
        let setting: Setting

        var testDescription: String { "\(holder), linked to \(link), address \(isVerified ? "proved" : "claimed"), \(setting)" }

        /// The rule, written a second time.
        var expected: Outcome {
            switch (link, holder) {
            case (.other, _): return .other
            case (.holder, .disabled): return .refused(.userDisabled)
            case (.holder, .withSecondFactor), (.holder, .unverifiedWithSecondFactor): return .holderUnchanged
            case (.holder, .unverified) where isVerified && setting != .sharesAddresses: return .holderVerified
            case (.holder, _): return .holder
            case (.none, _): break
            }
            if setting == .sharesAddresses || setting == .signUpsByLink && !isVerified { return .new(hasAddress: false) }
            switch holder {
            case .none: return .new(hasAddress: true)
            case _ where !isVerified: return .confirmation
            case .disabled: return .refused(.userDisabled)
            case .withSecondFactor: return .holderUnchanged
            case .unverified, .unverifiedWithSecondFactor: return .holderCleared
            case .recycled: return .passedOn
            case .verified: return .holder
            }
        }

        /// Whether the owner of the address is told that the provider signs in to the account.
        var isNoticed: Bool {
            expected == .holderVerified || expected == .holder && link == .none
        }

        static let all: [Row] = Holder.allCases.flatMap { holder in
            Link.allCases.flatMap { link in
                [true, false].flatMap { isVerified in
                    Setting.allCases.map { Row(holder: holder, link: link, isVerified: isVerified, setting: $0) }
                }
            }
        }.filter { $0.link != .holder || ![.none, .recycled].contains($0.holder) }
    }

    private static let provider = "google.com"
    private static let (holder, other) = (AccountID(rawValue: "ada"), AccountID(rawValue: "other"))

    private func identity(isVerified: Bool, id: String = "g-1", email: EmailAddress? = .ada) -> VerifiedIdentity {
        var identity = VerifiedIdentity(
            provider: Self.provider, rawID: id, email: email, isEmailVerified: isVerified,
            profile: .init(fullName: "Ada L", photoURL: "https://p.example/ada"), rawUserInfo: "{}")!
        identity.audience = "shop-web"
        return identity
    }

    private func world(_ row: Row) async throws -> World {
        let world = try await World { project in
            project.signIn.sharesAddresses = row.setting == .sharesAddresses
            project.signUps = row.setting == .signUpsByLink ? .byLink : .open
        }
        if row.holder != .none {
            try await world.account("ada@app.example") { account in
                account.emailVerified = ![.unverified, .unverifiedWithSecondFactor].contains(row.holder)
                account.disabled = row.holder == .disabled
                account.passwordHash = "$scrypt$"
                account.phoneNumber = PhoneNumber("+15555550100")
                (account.displayName, account.photoURL) = ("Before", "https://before.example/p")
                account.initialEmail = EmailAddress("before@app.example")
            }
            try await world.link(LinkedProvider(provider: "facebook.com", rawID: "f-1"), to: Self.holder)
        }
        if row.holder == .recycled {
            var link = LinkedProvider(provider: Self.provider, rawID: "g-0", email: "ADA@app.example")
            link.isEmailVerified = true
            try await world.link(link, to: Self.holder)
        }
        if [.withSecondFactor, .unverifiedWithSecondFactor].contains(row.holder) { try await world.enroll(of: Self.holder) }
        if row.link == .other { try await world.account("other@app.example", id: "other") { $0.emailVerified = true } }
        if row.link != .none {
            try await world.link(LinkedProvider(provider: Self.provider, rawID: "g-1"), to: row.link == .other ? Self.other : Self.holder)
        }
        return world
    }

    /// I9, I10, I16: every combination, with the answer and the account afterwards.
    @Test(arguments: Row.all) func `has the outcome of its row`(_ row: Row) async throws {
        let world = try await world(row)
        let before = try await world.profile(Self.holder)
        let answer: Result<ProviderSignIn, ActionError>
        do throws(ActionError) {
            answer = .success(try await world.accounts.signIn(identity(isVerified: row.isVerified), in: world.project))
        } catch { answer = .failure(error) }
        let outcome: Outcome
        switch answer {
        case .failure(let error): outcome = .refused(try #require(error.refusal))
        case .success(.noAccount):
            Issue.record("no account")
            return
        case .success(.needsConfirmation(let profile)):
            outcome = .confirmation
            #expect(profile.account.id == Self.holder)
        case .success(.signedIn(let account, let result)):
            let profile = try await world.profile(account.id)
            #expect(profile?.account == account)
            if row.expected != .holderUnchanged {
                #expect(profile?.linkedProviders.contains { $0.provider == Self.provider && $0.rawID == "g-1" } == true)
            }
            #expect(result.isRecycled == (row.expected == .passedOn))
            if result.isRecycled, result.isNew {
                outcome = .passedOn
            } else if result.isNew {
                outcome = .new(hasAddress: account.email != nil)
                #expect(account.emailVerified == (row.isVerified && account.email != nil) && account.displayName == "Ada L")
            } else {
                let isUnchanged =
                    profile?.secondFactors.isEmpty == false && profile?.account == before?.account
                    && profile?.linkedProviders == before?.linkedProviders
                let isVerifiedNow = before?.account.emailVerified == false && account.emailVerified
                outcome =
                    account.id == Self.other
                    ? .other
                    : account.passwordHash == nil
                        ? .holderCleared : isUnchanged ? .holderUnchanged : isVerifiedNow ? .holderVerified : .holder
            }
        }
        #expect(outcome == row.expected)
        let mails = try await world.mails()
        #expect(mails.map(\.kind) == (row.isNoticed ? [.notice(.providerAdded)] : []))
        #expect(mails.allSatisfy { $0.to == "ada@app.example" })
        let letters = try await world.store.mails(limit: 1).map { try world.outbox.open($0) }
        #expect(letters.allSatisfy { $0.provider == "Google" })

        let after = try await world.profile(Self.holder)
        switch outcome {
        case .holderCleared:
            let account = try #require(after).account
            #expect(account.emailVerified && account.email == .ada && account.displayName == "Ada L")
            #expect(account.phoneNumber == nil && account.initialEmail == nil && account.passwordHash == nil)
            #expect(after?.linkedProviders.map(\.provider) == [Self.provider] && after?.secondFactors == [])
        case .holderVerified:
            var expected = try #require(before).account
            expected.emailVerified = true
            #expect(after?.account == expected)
            #expect(after?.linkedProviders.map(\.provider) == ["facebook.com", Self.provider])
        case .passedOn:
            var expected = try #require(before).account
            expected.setAddress(nil, verified: false, at: world.clock.now())
            #expect(after?.account == expected && after?.linkedProviders == before?.linkedProviders)
            let accounts = try await world.signedAccounts()
            let owner = try await accounts.profiles([.email(.ada)], in: world.project.id).first
            #expect(owner?.account.displayName == "Ada L" && owner?.account.emailVerified == true)
        case .holder:
            #expect(after?.account == before?.account)
            #expect(after?.linkedProviders.map(\.provider) == ["facebook.com", Self.provider])
        case .holderUnchanged, .new, .other, .confirmation, .refused:
            #expect(after?.account == before?.account && after?.linkedProviders == before?.linkedProviders)
            #expect(after?.secondFactors == before?.secondFactors)
        }
    }

    /// A1: an address that another's account only carries is passed on, and the codes for it end.
    @Test func `gives the address of a stranger's account to a new one, and leaves the stranger the rest`() async throws {
        let world = try await World()
        // The stranger had another address, and changed it to that of the victim: the undo link is
        // in the stranger's mailbox.
        try await world.account("stranger@app.example") { ($0.passwordHash, $0.emailVerified) = ("$scrypt$", true) }
        let accounts = try await world.signedAccounts()
        var change = AccountChange()
        change.email = .ada
        _ = try await world.change(change)
        let undo = try #require(try await world.mailedCode(.recoverEmail))
        let reset = try #require(try await world.send(.resetPassword))
        let verify = try #require(try await world.send(.verifyEmail))
        let session = try await accounts.openSession(for: try #require(try await world.stored(Self.holder)), by: .password)

        guard case .signedIn(let owner, let result) = try await world.accounts.signIn(identity(isVerified: true), in: world.project) else {
            Issue.record("not signed in")
            return
        }
        #expect(result.isNew && owner.id != Self.holder && owner.email == .ada && owner.emailVerified)
        for code in [reset, verify] {
            await expectRefused(.invalidOobCode) { try await world.redeem(code, with: .newPassword("brand new one")) }
        }
        let stranger = try #require(try await world.stored(Self.holder))
        #expect(stranger.email == EmailAddress("stranger@app.example") && stranger.emailVerified && stranger.passwordHash != nil)
        _ = try await accounts.refresh(session.refreshToken, in: world.project)
        _ = try await world.redeem(undo, with: .call())
        #expect(try await world.stored(Self.holder)?.email == stranger.email)
        #expect(try await world.stored(owner.id)?.email == .ada)
    }

    /// I18: the address that the user has left at the provider goes on telling who has taken it.
    @Test func `a user who changed the address at the provider is told from the next user of the former one`() async throws {
        let world = try await World()
        _ = try await world.accounts.signIn(identity(isVerified: true), in: world.project)
        let new = EmailAddress("ada2@app.example")!
        guard case .signedIn(let account, _) = try await world.accounts.signIn(identity(isVerified: true, email: new), in: world.project)
        else { throw Missing() }
        #expect(account.email == .ada)
        let link = try #require(try await world.profile(account.id)?.linkedProviders.first)
        #expect(link.shownEmail == new.value && link.email == EmailAddress.ada.value && link.hasVerified(.ada) && link.hasVerified(new))

        // An app writes back what it has read.
        let seen = try #require(try await world.stored(account.id))
        let stated = LinkedProvider(provider: Self.provider, rawID: "g-1", email: new.value)
        try await world.store.transaction { (records) throws(ActionError) in
            let links = try records.linkedProviders(of: seen.id, in: seen.project)
            try records.insert(stated: stated, of: seen, after: links, at: seen.createdAt)
        }
        guard
            case .signedIn(let other, let result) = try await world.accounts.signIn(
                identity(isVerified: true, id: "g-2"), in: world.project)
        else { throw Missing() }
        #expect(result.isRecycled && other.id != account.id && other.email == .ada)
        #expect(try await world.stored(account.id)?.email == nil)
    }

    @Test(arguments: [ProviderSignIn.Reach.known, .claimed], [true, false]) func `creates no account if it may not`(
        reach: ProviderSignIn.Reach, isVerified: Bool
    ) async throws {
        let world = try await World()
        guard case .noAccount = try await world.accounts.signIn(identity(isVerified: isVerified), upTo: reach, in: world.project) else {
            Issue.record("an account was found or created")
            return
        }
        #expect(try await world.store.countAccounts(in: world.project.id) == 0)
    }

    /// V6: the cheap question does not tell of an address that is only claimed.
    @Test func `tells of a claimed address only if it may`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        for reach in ProviderSignIn.Reach.allCases {
            let answer = try await world.accounts.signIn(identity(isVerified: false), upTo: reach, in: world.project)
            switch answer {
            case .noAccount: #expect(reach == .known)
            case .needsConfirmation: #expect(reach != .known)
            case .signedIn: Issue.record("signed in")
            }
        }
    }

    /// I10: one user of a provider belongs to one account, the first that asks.
    @Test func `links one of many accounts that ask at once`() async throws {
        let world = try await World()
        var guests: [Account] = []
        for number in 0..<10 { guests.append(try await world.account(nil, id: "guest-\(number)")) }
        let identity = identity(isVerified: true)
        let winners = await withTaskGroup(of: Bool.self) { group in
            for guest in guests {
                group.addTask { (try? await world.accounts.link(identity, to: guest, in: world.project)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        let accounts = try await world.signedAccounts()
        let linked = try await accounts.profiles([.linked(provider: Self.provider, wireID: "g-1")], in: world.project.id)
        #expect(linked.count == 1 && linked.first?.account.email == .ada)
    }

    @Test func `creates one account for many sign-ins at once`() async throws {
        let world = try await World()
        let identity = identity(isVerified: true)
        let ids = await withTaskGroup(of: AccountID?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    guard case .signedIn(let account, _)? = try? await world.accounts.signIn(identity, in: world.project) else {
                        return nil
                    }
                    return account.id
                }
            }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1 && ids.first != .some(nil))
    }

    /// The user has two accounts at the provider, or was imported from Firebase, which knows users
    /// of Microsoft by another id.
    @Test(arguments: [
        ("google.com", "g-0", "private@mail.example"), ("google.com", "g-0", nil), ("microsoft.com", "0123456789abcdef", "ada@app.example"),
        ("microsoft.com", "a-pairwise-sub", "private@mail.example"),
    ])
    func `keeps a verified account whose link is not of an earlier owner of the address`(
        _ provider: String, _ rawID: String, _ email: String?
    ) async throws {
        let world = try await World()
        try await world.account("ada@app.example") { ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$") }
        try await world.link(LinkedProvider(provider: provider, rawID: rawID, email: email), to: Self.holder)
        let sub = String(repeating: "s", count: 43)
        let identity = try #require(
            VerifiedIdentity(provider: provider, rawID: sub, email: .ada, isEmailVerified: true, profile: .init(), rawUserInfo: "{}"))
        guard case .signedIn(let account, let result) = try await world.accounts.signIn(identity, in: world.project) else {
            Issue.record("not signed in")
            return
        }
        #expect(account.id == Self.holder && account.passwordHash == "$scrypt$" && !result.isRecycled)
        // A link to another user goes on working, and there is no new one to tell of. One that only
        // claims the account's address, or that names a user for one app, gives way.
        let keepsLink = provider == "google.com"
        #expect(try await world.profile(Self.holder)?.linkedProviders.map(\.rawID) == [keepsLink ? rawID : sub])
        #expect(try await world.mails().map(\.kind) == (keepsLink ? [] : [.notice(.providerAdded)]))
    }
}

extension World {
    func link(_ provider: LinkedProvider, to id: AccountID) async throws {
        let (project, now) = (project.id, clock.now())
        try await store.transaction { (records) throws(ActionError) in
            try records.insert(provider, of: id, in: project, at: now)
        }
    }

    func enroll(of id: AccountID) async throws {
        let (project, now) = (project.id, clock.now())
        try await store.transaction { (records) throws(ActionError) in
            try records.insert(
                SecondFactor(id: "f", kind: .phone, phoneNumber: "+15555550101", enrolledAt: now), of: id, in: project, byAdmin: false)
        }
    }

    func profile(_ id: AccountID) async throws -> Accounts.Profile? {
        let project = project.id
        return try await store.read { (records) throws(ActionError) in
            try records.account(id, in: project).map { (account) throws(ActionError) in try records.profile(of: account) }
        }
    }
}
