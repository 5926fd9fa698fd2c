import Accounts
import EmailActions
import Store
import Testing
import World

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

    enum Setting: String, Sendable, CaseIterable { case usual, sharesAddresses, signUpsByLink, keepsProviders }

    /// The result of a sign-in.
    enum Outcome: Sendable, Equatable {
        case new(hasAddress: Bool)
        /// The holder's account, unchanged but for the link.
        case holder
        /// The holder's account with everything that was there before, its address verified now.
        case holderVerified
        /// The holder's account without anything that was there before.
        case holderCleared
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
            case (.holder, .unverifiedWithSecondFactor) where isVerified && ![.sharesAddresses, .keepsProviders].contains(setting):
                return .holderCleared
            case (.holder, .withSecondFactor), (.holder, .unverifiedWithSecondFactor): return .holderUnchanged
            case (.holder, .unverified) where isVerified && setting == .keepsProviders: return .holderVerified
            case (.holder, .unverified) where isVerified && setting != .sharesAddresses: return .holderCleared
            case (.holder, _): return .holder
            case (.none, _): break
            }
            if setting == .sharesAddresses || setting == .signUpsByLink && !isVerified { return .new(hasAddress: false) }
            switch holder {
            case .none: return .new(hasAddress: true)
            case _ where !isVerified: return .confirmation
            case .disabled: return .refused(.userDisabled)
            case .withSecondFactor: return .holderUnchanged
            case .unverified, .unverifiedWithSecondFactor, .recycled: return .holderCleared
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
        VerifiedIdentity(
            provider: Self.provider, rawID: id, email: email, isEmailVerified: isVerified,
            profile: .init(fullName: "Ada L", photoURL: "https://p.example/ada"), rawUserInfo: "{}")!
    }

    private func world(_ row: Row) async throws -> World {
        let world = try await World { project in
            project.signIn.sharesAddresses = row.setting == .sharesAddresses
            project.signIn.keepsProviders = row.setting == .keepsProviders
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
            try await world.link(LinkedProvider(provider: Self.provider, rawID: "g-0", email: "ADA@app.example"), to: Self.holder)
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
            answer = .success(try await world.actions.signIn(identity(isVerified: row.isVerified), in: world.project))
        } catch { answer = .failure(error) }
        let outcome: Outcome
        switch answer {
        case .failure(let error): outcome = .refused(try #require(error.refusal))
        case .success(.needsConfirmation(let profile)):
            outcome = .confirmation
            #expect(profile.account.id == Self.holder)
        case .success(.signedIn(let account, let result)):
            let profile = try await world.profile(account.id)
            #expect(profile?.account == account)
            if row.expected != .holderUnchanged {
                #expect(profile?.linkedProviders.contains { $0.provider == Self.provider && $0.rawID == "g-1" } == true)
            }
            #expect(result.isRecycled == (row.holder == .recycled && account.id == Self.holder))
            if result.isNew {
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
            // The sessions of before ended.
            expected.validSince = try #require(after).account.validSince
            #expect(after?.account == expected && expected.validSince != before?.account.validSince)
            #expect(after?.linkedProviders.map(\.provider) == ["facebook.com", Self.provider])
        case .holder:
            #expect(after?.account == before?.account)
            #expect(after?.linkedProviders.map(\.provider) == ["facebook.com", Self.provider])
        case .holderUnchanged, .new, .other, .confirmation, .refused:
            #expect(after?.account == before?.account && after?.linkedProviders == before?.linkedProviders)
            #expect(after?.secondFactors == before?.secondFactors)
        }
    }

    /// I9: a squatter's sessions, refresh tokens, codes and undo links.
    @Test func `ends everything of a stranger who had the address before`() async throws {
        let world = try await World()
        // The stranger had another address, and changed it to that of the victim: the undo link is
        // in the stranger's mailbox.
        try await world.account("stranger@app.example") { ($0.passwordHash, $0.emailVerified) = ("$scrypt$", true) }
        let accounts = try await world.accounts()
        var change = AccountChange()
        change.email = .ada
        _ = try await world.change(change)
        let undo = try #require(try await world.mailedCode(.recoverEmail))
        let reset = try #require(try await world.send(.resetPassword))
        let verify = try #require(try await world.send(.verifyEmail))
        let session = try await accounts.openSession(for: try #require(try await world.stored(Self.holder)), by: .password)

        _ = try await world.actions.signIn(identity(isVerified: true), in: world.project)
        for code in [undo, reset, verify] { await expectRefused(.invalidOobCode) { try await world.redeem(code, with: .press) } }
        await expectRefused(.tokenExpired) { try await accounts.refresh(session.refreshToken, in: world.project.id) }
        await expectRefused(.tokenExpired) { try await accounts.account(behind: session.idToken, in: world.project.id) }
    }

    @Test func `creates no account if it may not`() async throws {
        let world = try await World()
        await expectRefused(.emailNotFound) {
            try await world.actions.signIn(identity(isVerified: true), creates: false, in: world.project)
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
                group.addTask { (try? await world.actions.link(identity, to: guest, in: world.project)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        let accounts = try await world.accounts()
        let linked = try await accounts.profiles([.linked(provider: Self.provider, rawID: "g-1")], in: world.project.id)
        #expect(linked.count == 1 && linked.first?.account.email == .ada)
    }

    @Test func `creates one account for many sign-ins at once`() async throws {
        let world = try await World()
        let identity = identity(isVerified: true)
        let ids = await withTaskGroup(of: AccountID?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    guard case .signedIn(let account, _)? = try? await world.actions.signIn(identity, in: world.project) else { return nil }
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
        guard case .signedIn(let account, let result) = try await world.actions.signIn(identity, in: world.project) else {
            Issue.record("not signed in")
            return
        }
        #expect(account.id == Self.holder && account.passwordHash == "$scrypt$" && !result.isRecycled)
        #expect(try await world.profile(Self.holder)?.linkedProviders.map(\.rawID) == [sub])
    }
}

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
        let account = try await world.actions.link(identity(isVerified: isVerified), to: guest, in: world.project)
        #expect(account.id == ada && account.email == .ada && account.emailVerified == isVerified && account.displayName == "Ada L")
        #expect(try await world.profile(ada)?.isAnonymous == false)
    }

    /// I9: sessions from before the address was verified end; the password of the user stays.
    @Test func `verifies the account's own address`() async throws {
        let world = try await World()
        let before = try await world.account("ada@app.example") { $0.passwordHash = "$scrypt$" }
        let accounts = try await world.accounts()
        let session = try await accounts.openSession(for: before, by: .password)
        let seen = try #require(try await world.stored(ada))
        let account = try await world.actions.link(identity(), to: seen, in: world.project)
        #expect(account.emailVerified && account.passwordHash == "$scrypt$")
        await expectRefused(.tokenExpired) { try await accounts.refresh(session.refreshToken, in: world.project.id) }
    }

    @Test func `keeps another address than the provider's`() async throws {
        let world = try await World()
        let before = try await world.account("other@app.example")
        let account = try await world.actions.link(identity(), to: before, in: world.project)
        #expect(account.email == before.email && !account.emailVerified)
    }

    /// I10.
    @Test func `is refused if the provider's user is linked already`() async throws {
        let world = try await World()
        let first = try await world.account("ada@app.example")
        let second = try await world.account("other@app.example", id: "other")
        let linked = try await world.actions.link(identity(), to: first, in: world.project)
        for account in [linked, second] {
            await expectRefused(.federatedUserIDAlreadyLinked) { try await world.actions.link(identity(), to: account, in: world.project) }
        }
    }

    @Test func `is refused if the address belongs to another account`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        let guest = try await world.account(nil, id: "guest")
        await expectRefused(.emailExists) { try await world.actions.link(identity(), to: guest, in: world.project) }
        var sharing = world
        sharing.project.signIn.sharesAddresses = true
        let account = try await sharing.actions.link(identity(), to: guest, in: sharing.project)
        #expect(account.email == nil)
    }

    @Test func `replaces the account's link to the same provider`() async throws {
        let world = try await World()
        let before = try await world.account("other@app.example")
        _ = try await world.actions.link(identity(id: "g-1"), to: before, in: world.project)
        _ = try await world.actions.link(identity(id: "g-2"), to: before, in: world.project)
        #expect(try await world.profile(ada)?.linkedProviders.map(\.rawID) == ["g-2"])
    }

    /// S8: the link may be an intruder's. An address that was never verified may be a stranger's.
    @Test(arguments: [true, false]) func `is told to the owner of the account`(_ isVerified: Bool) async throws {
        let world = try await World()
        let before = try await world.account("other@app.example") { $0.emailVerified = isVerified }
        _ = try await world.actions.link(identity(), to: before, in: world.project)
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
                _ = try await world.actions.link(identity(nil, id: name + id), to: seen, in: world.project)
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
        await expectRefused(.tokenExpired) { try await world.actions.link(identity(), to: seen, in: world.project) }
        try await world.actions.erasure.delete(before, byAdmin: true)
        await expectRefused(.userNotFound) { try await world.actions.link(identity(), to: before, in: world.project) }
    }
}

extension World {
    fileprivate func link(_ provider: LinkedProvider, to id: AccountID) async throws {
        let project = project.id
        try await store.transaction { (records: any AccountRecords) throws(ActionError) in try records.insert(provider, of: id, in: project)
        }
    }

    fileprivate func enroll(of id: AccountID) async throws {
        let (project, now) = (project.id, clock.now())
        try await store.transaction { (records: any AccountRecords) throws(ActionError) in
            try records.insert(SecondFactor(id: "f", kind: .phone, phoneNumber: "+15555550101", enrolledAt: now), of: id, in: project)
        }
    }

    func profile(_ id: AccountID) async throws -> Accounts.Profile? {
        let project = project.id
        return try await store.read { (records: any AccountRecords) throws(ActionError) in
            try records.account(id, in: project).map { (account) throws(ActionError) in try records.profile(of: account) }
        }
    }
}
