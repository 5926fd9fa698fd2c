import Base
import Store
import Testing
import World
@testable import Accounts

/// Two accounts of one person. Ada stays; Bob is merged into her.
struct Two {
    let world: World
    let merge = Merge(into: AccountID(rawValue: "ada"), from: AccountID(rawValue: "bob"))

    init(ada: (inout Account) -> Void = { _ in }, bob: (inout Account) -> Void = { _ in }) async throws {
        world = try await World()
        try await world.account("ada@app.example", change: ada)
        try await world.account("bob@app.example", id: "bob", change: bob)
    }

    var merging: Merging {
        Merging(store: world.store, outbox: world.outbox, secrets: world.secrets, now: world.clock.now)
    }

    func profile(_ id: String) async throws -> Person? {
        let project = world.project.id
        return try await world.store.read { (records) throws(ActionError) in
            guard let account = try records.account(AccountID(rawValue: id), in: project) else { return nil }
            let profile = try records.profile(of: account)
            return Person(account: account, linkedProviders: profile.linkedProviders, secondFactors: profile.secondFactors)
        }
    }

    func link(_ provider: String, _ rawID: String, to id: String) async throws {
        let (project, now) = (world.project.id, world.clock.now())
        try await world.store.transaction { (records) throws(ActionError) in
            try records.insert(
                LinkedProvider(provider: provider, rawID: rawID, email: "x@\(provider)"), of: AccountID(rawValue: id), in: project, at: now)
        }
    }

    func enrolPhone(_ number: String, _ factor: String, of id: String, byAdmin: Bool = false) async throws {
        let (project, now) = (world.project.id, world.clock.now())
        try await world.store.transaction { (records) throws(ActionError) in
            try records.insert(
                SecondFactor(id: factor, kind: .phone, phoneNumber: number, enrolledAt: now), of: AccountID(rawValue: id), in: project,
                byAdmin: byAdmin)
        }
    }

    func refusal(_ work: (Merging) async throws -> Void) async throws -> Refusal? {
        do {
            try await work(merging)
            return nil
        } catch let error as ActionError { return error.refusal }
    }

    func change(_ id: String, _ change: AccountChange) async throws {
        let account = try #require(try await world.stored(AccountID(rawValue: id)))
        _ = try await world.accounts.update(account, with: change, byAdmin: true, in: world.project)
    }
}

/// An account with what belongs to it.
struct Person: Equatable {
    var account: Account
    let linkedProviders: [LinkedProvider]
    let secondFactors: [SecondFactor]

    /// Without what every sign-in changes.
    var lasting: Person {
        var person = self
        person.account.validSince = account.createdAt
        person.account.lastLoginAt = nil
        return person
    }
}

/// U1: only an admin merges accounts, and the sessions of both end. U2: a merge and its undoing
/// happen whole or not at all.
@Suite struct `An account that is merged into another` {
    @Test func `gives it providers and second factors, and is gone`() async throws {
        let two = try await Two(ada: { $0.emailVerified = true })
        for (provider, id, owner) in [("google.com", "1", "ada"), ("google.com", "2", "bob"), ("github.com", "3", "bob")] {
            try await two.link(provider, id, to: owner)
        }
        try await two.enrolPhone("+15555550100", "ada-phone", of: "ada")
        try await two.enrolPhone("+15555550100", "bob-phone", of: "bob")
        let app = try await two.world.enrollApp(for: "bob")
        let plan = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        #expect(plan.movedProviders.map(\.provider) == ["github.com"] && plan.droppedProviders.map(\.rawID) == ["2"])
        #expect(plan.movedFactors.map(\.id) == ["app"] && plan.droppedFactors.map(\.id) == ["bob-phone"])
        #expect(try await two.profile("bob") == nil)
        let ada = try #require(try await two.profile("ada"))
        #expect(ada.linkedProviders.map(\.rawID) == ["3", "1"])
        #expect(Set(ada.secondFactors.map(\.id)) == ["ada-phone", "app"])
        // The app of the one asks for the sign-in of the other.
        let accounts = two.world.accounts(signedWith: nil)
        guard case .needsSecondFactor(let credential, _) = try await accounts.signIn(ada.account, by: .password) else {
            Issue.record("no second factor was asked for")
            return
        }
        let tokens = try await accounts.finishSignIn(credential, with: .app(app.code, factor: "app"), in: two.world.project)
        #expect(tokens.account.id == ada.account.id)
    }

    /// A session of one account must not lead into the other.
    @Test func `ends the sessions and links of both`() async throws {
        let two = try await Two()
        let accounts = two.world.accounts(signedWith: nil)
        var tokens: [IssuedTokens] = []
        for id in ["ada", "bob"] {
            tokens.append(try await accounts.openSession(for: try #require(try await two.profile(id)).account, by: .password))
        }
        let code = try #require(try await two.world.send(.verifyEmail))
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        for issued in tokens {
            await #expect(throws: ActionError.self) { try await accounts.refresh(issued.refreshToken, in: two.world.project) }
            await #expect(throws: ActionError.self) { try await accounts.account(behind: issued.idToken, in: two.world.project.id) }
        }
        #expect(try await !two.world.inspect(code).isLive)
    }

    /// A code of an app works once, also when the app moves.
    @Test func `does not make a used code of its app work again`() async throws {
        let two = try await Two()
        let app = try await two.world.enrollApp(for: "bob")
        let accounts = two.world.accounts(signedWith: nil)
        func signIn(_ id: String) async throws -> IssuedTokens? {
            let account = try #require(try await two.profile(id)).account
            guard case .needsSecondFactor(let credential, _) = try await accounts.signIn(account, by: .password) else { return nil }
            return try? await accounts.finishSignIn(credential, with: .app(app.code, factor: "app"), in: two.world.project)
        }
        #expect(try await signIn("bob") != nil)
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        #expect(try await signIn("ada") == nil)
        try await two.merging.unmerge(two.merge, in: two.world.project.id, language: "en")
        #expect(try await signIn("bob") == nil)
        two.world.clock.advance(by: TOTP.period)
        #expect(try await signIn("bob") != nil)
    }

    /// The addresses of two accounts, and what is kept.
    struct Addresses: Sendable, CustomTestStringConvertible {
        let into, from: String?
        var isIntoVerified = false
        var isFromVerified = false
        let kept: String?
        let password: String?

        var testDescription: String { "\(into ?? "-") \(isIntoVerified), \(from ?? "-") \(isFromVerified)" }
    }

    @Test(arguments: [
        Addresses(into: "ada", from: "bob", kept: "ada", password: "of ada"),
        Addresses(into: "ada", from: "bob", isIntoVerified: true, kept: "ada", password: "of ada"),
        Addresses(into: "ada", from: "bob", isIntoVerified: true, isFromVerified: true, kept: "ada", password: "of ada"),
        // The password of someone who registered an address that is not theirs must not stay.
        Addresses(into: "ada", from: "bob", isFromVerified: true, kept: "bob", password: "of bob"),
        Addresses(into: nil, from: "bob", kept: "bob", password: "of bob"),
        Addresses(into: "ada", from: nil, kept: "ada", password: "of ada"),
        Addresses(into: nil, from: nil, kept: nil, password: "of ada"),
    ])
    func `leaves a verified address, or that of the other, with its password`(row: Addresses) async throws {
        func address(_ name: String?) -> EmailAddress? { name.flatMap { EmailAddress("\($0)@app.example") } }
        let two = try await Two(
            ada: { ($0.email, $0.emailVerified, $0.passwordHash) = (address(row.into), row.isIntoVerified, "of ada") },
            bob: { ($0.email, $0.emailVerified, $0.passwordHash) = (address(row.from), row.isFromVerified, "of bob") })
        let plan = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        let account = try #require(try await two.profile("ada")).account
        #expect(account.email == address(row.kept) && account.passwordHash == row.password)
        let left = [row.into, row.from].compactMap(\.self).filter { $0 != row.kept }
        #expect(plan.droppedAddress == left.first.flatMap { address($0) } && plan.dropsPassword)
        #expect(account.emailVerified == (row.kept == row.into ? row.isIntoVerified : row.isFromVerified) || row.kept == nil)
        // An address that was never proved hears nothing.
        let told = left.filter { $0 == row.into ? row.isIntoVerified : row.isFromVerified }
        #expect(try await two.world.mails().map(\.to) == told.map { "\($0)@app.example" })
    }

    @Test func `fills in what the other does not have, and never gives it claims`() async throws {
        let two = try await Two(
            ada: { ($0.displayName, $0.phoneNumber) = ("Ada", PhoneNumber("+15555550101")) },
            bob: {
                ($0.displayName, $0.photoURL, $0.language) = ("Bob", "https://bob", "de")
                ($0.phoneNumber, $0.customAttributes) = (PhoneNumber("+15555550102"), #"{"role":"admin"}"#)
            })
        let plan = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        let account = try #require(try await two.profile("ada")).account
        #expect(account.displayName == "Ada" && account.photoURL == "https://bob" && account.language == "de")
        #expect(account.phoneNumber?.value == "+15555550101" && plan.droppedPhoneNumber?.value == "+15555550102")
        #expect(account.customAttributes == nil && plan.dropsClaims)
    }

    @Test func `is refused for one account, none, a disabled one, and too many or equal factors`() async throws {
        let two = try await Two()
        let ada = two.merge.into
        #expect(
            try await two.refusal { _ = try await $0.merge(Merge(into: ada, from: ada), in: two.world.project.id, language: "en") }
                == .invalidArgument)
        let nobody = Merge(into: ada, from: AccountID(rawValue: "eve"))
        #expect(try await two.refusal { _ = try await $0.merge(nobody, in: two.world.project.id, language: "en") } == .userNotFound)
        try await two.world.enrollApp(for: "ada")
        try await two.world.enrollApp(for: "bob")
        #expect(
            try await two.refusal { _ = try await $0.merge(two.merge, in: two.world.project.id, language: "en") }
                == .duplicateMFAEnrollmentID)
        for number in 0..<4 { try await two.enrolPhone("+1555555010\(number)", "phone-\(number)", of: "ada") }
        #expect(try await two.refusal { _ = try await $0.plan(two.merge, in: two.world.project.id) } == .secondFactorLimitExceeded)
        let disabled = try await Two(bob: { $0.disabled = true })
        #expect(
            try await disabled.refusal { _ = try await $0.merge(disabled.merge, in: disabled.world.project.id, language: "en") }
                == .userDisabled)
    }

    @Test func `is only looked at in a dry run`() async throws {
        let two = try await Two(bob: { $0.emailVerified = true })
        try await two.link("github.com", "3", to: "bob")
        let before = (try await two.profile("ada"), try await two.profile("bob"))
        let plan = try await two.merging.plan(two.merge, in: two.world.project.id)
        #expect(try await two.profile("ada") == before.0)
        #expect(try await two.profile("bob") == before.1)
        #expect(try await two.world.mails().isEmpty)
        #expect(try await two.merging.merge(two.merge, in: two.world.project.id, language: "en") == plan)
    }

    /// U4: of merges at once, each account is in one at most.
    @Test func `is merged once of many merges at once`() async throws {
        for round in 0..<8 {
            let two = try await Two()
            try await two.world.account("eve@app.example", id: "eve")
            let eve = AccountID(rawValue: "eve")
            let others = [
                two.merge, Merge(into: two.merge.from, from: two.merge.into), Merge(into: eve, from: two.merge.from),
            ]
            let winners = await withTaskGroup(of: Merge?.self) { group in
                for merge in others.shuffled() {
                    group.addTask { (try? await two.merging.merge(merge, in: two.world.project.id, language: "en")).map { _ in merge } }
                }
                return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
            }
            // Bob into Ada and Bob into Eve exclude each other; one may follow the other direction.
            let left = try await [two.profile("ada"), two.profile("bob"), two.profile("eve")].compactMap(\.self).count
            #expect(winners.count + left == 3 && !winners.isEmpty, "round \(round): \(winners)")
            #expect(Set(winners.map(\.from)).count == winners.count)
        }
    }

    /// U4: merges, deletions and sign-ins of one account see each other before or after, never
    /// half.
    @Test func `opens no session while it is merged, and is merged or deleted, not both`() async throws {
        let two = try await Two()
        let bob = try #require(try await two.profile("bob")).account
        let accounts = two.world.accounts(signedWith: nil)
        async let signIns = withTaskGroup(of: IssuedTokens?.self) { group in
            for _ in 0..<8 { group.addTask { try? await accounts.openSession(for: bob, by: .password) } }
            return await group.reduce(into: [IssuedTokens]()) { $0 += [$1].compactMap(\.self) }
        }
        async let merged = try? two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        async let deleted: Void? = try? two.world.accounts.erasure.delete(bob)
        let (tokens, isMerged, isDeleted) = await (signIns, merged != nil, deleted != nil)
        #expect(isMerged != isDeleted)
        #expect(try await two.profile("bob") == nil)
        for issued in tokens {
            await #expect(throws: ActionError.self) { try await accounts.refresh(issued.refreshToken, in: two.world.project) }
        }
    }
}

/// U3: a merge can be undone for 30 days if the account has not changed since.
@Suite struct `A merge that is undone` {
    private static func merged() async throws -> (two: Two, ada: Person, bob: Person) {
        let two = try await Two(
            ada: { ($0.passwordHash, $0.displayName) = ("of ada", "Ada") },
            bob: {
                ($0.emailVerified, $0.passwordHash, $0.customAttributes) = (true, "of bob", #"{"role":"admin"}"#)
                ($0.phoneNumber, $0.photoURL) = (PhoneNumber("+15555550102"), "https://bob")
            })
        for (provider, id, owner) in [("google.com", "1", "ada"), ("google.com", "2", "bob"), ("github.com", "3", "bob")] {
            try await two.link(provider, id, to: owner)
        }
        try await two.enrolPhone("+15555550100", "ada-phone", of: "ada")
        try await two.enrolPhone("+15555550100", "bob-phone", of: "bob")
        try await two.world.enrollApp(for: "bob")
        let code = RecoveryCode(random: two.world.random.bytes)
        let (ada, bob) = (try #require(try await two.profile("ada")), try #require(try await two.profile("bob")))
        let digest = code.digest(of: bob.account, by: two.world.secrets)
        try await two.world.store.transaction { (records) throws(ActionError) in
            let app = try records.secondFactors(of: bob.account.id, in: bob.account.project).first { $0.id == "app" }
            if let app { try records.insert(recoveryCodes: [digest], of: app, of: bob.account) }
        }
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        return (two, ada, bob)
    }

    @Test func `leaves both accounts as they were`() async throws {
        let (two, ada, bob) = try await Self.merged()
        two.world.clock.advance(by: .seconds(29 * 86_400))
        // Sign-ins after the merge. The first made the hash again.
        let project = two.world.project.id
        try await two.world.store.transaction { (records) throws(ActionError) in
            guard var account = try records.account(AccountID(rawValue: "ada"), in: project) else { return }
            (account.passwordHash, account.lastLoginAt) = ("of bob, made again", .init(seconds: 1_900_000_000))
            try records.update(account)
        }
        try await two.merging.unmerge(two.merge, in: two.world.project.id, language: "en")
        let (nowAda, nowBob) = (try #require(try await two.profile("ada")), try #require(try await two.profile("bob")))
        #expect(nowAda.lasting == ada.lasting)
        var expected = bob.lasting.account
        expected.passwordHash = "of bob, made again"
        #expect(nowBob.lasting.account == expected)
        #expect(nowBob.linkedProviders == bob.linkedProviders && nowBob.secondFactors == bob.secondFactors)
        #expect(nowAda.account.validSince > ada.account.validSince && nowBob.account.validSince > bob.account.validSince)
        let codes = try await two.world.store.read { (records) throws(ActionError) in
            try records.recoveryCodes(of: nowBob.account)
        }
        #expect(codes.map(\.factor) == ["app"])
        #expect(try await two.refusal { try await $0.unmerge(two.merge, in: two.world.project.id, language: "en") } == .userNotFound)
    }

    /// An undoing must not take back what the user did since.
    @Test(arguments: [
        "email", "password", "phone", "name", "claims", "link", "unlink", "factor", "disabled",
    ])
    func `is refused after a change of the account`(change: String) async throws {
        let (two, _, _) = try await Self.merged()
        var made = AccountChange()
        switch change {
        case "email": made.email = EmailAddress("new@app.example")
        case "password": made.password = "correct horse battery"
        case "phone": made.deletesPhoneNumber = true
        case "name": made.displayName = .set("Ada L.")
        case "claims": made.customAttributes = .set("{}")
        case "link": made.link = LinkedProvider(provider: "apple.com", rawID: "9")
        case "unlink": made.unlinks = ["github.com"]
        case "factor": made.secondFactors = []
        default: made.disabled = true
        }
        two.world.clock.advance(by: .seconds(1))
        try await two.change("ada", made)
        let before = try await two.profile("ada")
        #expect(try await two.refusal { try await $0.unmerge(two.merge, in: two.world.project.id, language: "en") } == .operationNotAllowed)
        #expect(try await two.profile("ada") == before)
        #expect(try await two.profile("bob") == nil)
    }

    @Test(arguments: [
        ("id", Refusal.duplicateLocalID), ("address", .emailExists), ("provider", .federatedUserIDAlreadyLinked),
    ])
    func `is refused when another account has what belonged to the merged one`(what: String, refusal: Refusal) async throws {
        let (two, _, _) = try await Self.merged()
        switch what {
        case "id": try await two.world.account("eve@app.example", id: "bob")
        // Ada's own address, which she lost to the verified one of Bob.
        case "address": try await two.world.account("ada@app.example", id: "eve") { $0.emailVerified = true }
        default:
            try await two.world.account("eve@app.example", id: "eve")
            try await two.link("google.com", "2", to: "eve")
        }
        let before = try await two.profile("ada")
        #expect(try await two.refusal { try await $0.unmerge(two.merge, in: two.world.project.id, language: "en") } == refusal)
        #expect(try await two.profile("ada") == before)
    }

    @Test func `is refused after thirty days, and its snapshot goes with the account`() async throws {
        let (two, _, _) = try await Self.merged()
        let project = two.world.project.id
        func isStored() async throws -> Bool {
            try await two.world.store.read { (records) throws(ActionError) in
                try records.merge(two.merge, in: project) != nil
            }
        }
        #expect(try await isStored())
        try await two.world.store.purgeMerges(before: two.world.clock.now())
        #expect(try await isStored())
        two.world.clock.advance(by: Merge.reversible)
        #expect(try await two.refusal { try await $0.unmerge(two.merge, in: two.world.project.id, language: "en") } == .userNotFound)
        let ada = try #require(try await two.profile("ada")).account
        try await two.world.accounts.erasure.delete(ada)
        #expect(try await !isStored())
    }

    /// K9: the snapshot contains keys of imported passwords.
    @Test func `works after the secret was changed`() async throws {
        let (two, ada, bob) = try await Self.merged()
        let (old, new) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 8, count: 32))
        _ = try await two.world.store.recognize(two.world.secrets)
        var world = try await two.world.restarted(with: Secrets(root: new, previous: old))
        _ = try await world.store.reseal(by: world.secrets)
        world = try await world.restarted(with: Secrets(root: new))
        try await Merging(
            store: world.store, outbox: world.outbox, secrets: world.secrets, now: world.clock.now
        ).unmerge(two.merge, in: world.project.id, language: "en")
        #expect(try await two.profile("ada")?.account.email == ada.account.email)
        #expect(try await two.profile("bob")?.linkedProviders == bob.linkedProviders)
    }
}
