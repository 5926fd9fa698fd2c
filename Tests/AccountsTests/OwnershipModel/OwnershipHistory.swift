import Base
import Store
import World
@testable import Accounts

/// One random history of an account. All its names contain its seed, so that many share a database.
final class OwnershipHistory: CustomStringConvertible {
    let seed: UInt64
    let setting: `In random histories`.Setting
    let (v, w, x, s): (EmailAddress, EmailAddress, EmailAddress, EmailAddress)
    var world: World
    var generator: Generator
    private(set) var log: [String] = []
    private(set) var failures: [String] = []
    /// The account that the history is about: the other one after it was merged into that.
    var id: AccountID
    /// The owner's other account, which exists once an admin is asked to merge them.
    let other: AccountID
    /// The account that its user entered by phone and that lost its address to the arriving owner.
    private var passedOn: Account?
    /// When the intruder linked each provider to the account.
    var linkedAt: [String: Timestamp] = [:]
    /// The merge that an admin can undo.
    var merge: Merge?
    /// The intruder's ID tokens.
    var tokens: [String] = []
    /// Whether the intruder has proved `x` on any account, and whether on this one before its owner
    /// came.
    var hasProvedX = false
    /// When the account left `v` last.
    private var leftAt: Timestamp?

    static let intrudersPassword = "the intruder's phrase"
    static let ownersPassword = "a quiet long phrase"

    init(_ seed: UInt64, in world: World, _ setting: `In random histories`.Setting) {
        (self.seed, self.world, self.setting, generator) = (seed, world, setting, Generator(seed: seed))
        (v, w) = (EmailAddress("v\(seed)@app.example")!, EmailAddress("w\(seed)@app.example")!)
        (x, s) = (EmailAddress("x\(seed)@evil.example")!, EmailAddress("s\(seed)@else.example")!)
        (id, other) = (AccountID(rawValue: "account-\(seed)"), AccountID(rawValue: "other-\(seed)"))
    }

    var description: String { "\(failures.joined(separator: "; ")). \(setting): \(log.joined(separator: ", "))" }

    var accounts: Accounts { world.accounts(signedWith: nil) }
    var intrudersPhone: PhoneNumber { PhoneNumber("+1500555\(1_000_000 + seed)")! }

    func identity(_ name: String, _ email: EmailAddress) -> VerifiedIdentity {
        VerifiedIdentity(
            provider: "google.com", rawID: "\(name)-\(seed)", email: email, isEmailVerified: true, profile: .init(fullName: name),
            rawUserInfo: "{}")!
    }

    /// An identity of a provider that is not the authority of the address.
    func claim(_ name: String, _ email: EmailAddress) -> VerifiedIdentity {
        VerifiedIdentity(
            provider: "github.com", rawID: "\(name)-\(seed)", email: email, isEmailVerified: false, profile: .init(), rawUserInfo: "{}")!
    }

    /// The account: the owner's, who has proved its address, or one that the intruder made.
    func begin(proved: Bool) async throws {
        let hash = try await world.passwords.hash(proved ? Self.ownersPassword : Self.intrudersPassword)
        let kind = proved ? 0 : generator.next(below: 4)
        let (number, address) = (intrudersPhone, v)
        let account = try await world.account(kind == 3 ? nil : v.value, id: id.rawValue) { account in
            account.emailVerified = proved
            account.emailSince = account.createdAt
            if kind < 2 { account.passwordHash = hash }
            // Entered by phone before it got the address, or after.
            if kind == 1 || kind == 2 { account.setPhoneNumber(number, at: account.createdAt) }
            if kind == 2 { account.enteredAt = account.createdAt }
            account.displayName = "Ada"
        }
        note("begin \(kind)")
        tokens = [try await accounts.openSession(for: account, by: kind == 2 ? .phone : .password).idToken]
        if kind == 3 { try await attempt("first address") { try await self.update { $0.email = address } } }
    }

    func note(_ step: String) { log.append(step) }

    /// Makes a move. A refusal is an answer like any other.
    func attempt(_ name: String, _ move: () async throws -> Void) async throws {
        let before = try await world.stored(id)?.email
        do {
            try await move()
            note(name)
        } catch let error as ActionError {
            guard case .refused(let refusal, _) = error else { throw error }
            note("\(name) (\(refusal.rawValue))")
        } catch is NothingSent { note("\(name) (nothing)") }
        if before == v, try await world.stored(id)?.email != v { leftAt = world.clock.now() }
    }

    // MARK: What the owner does

    /// The owner comes to the address `v`, by a way that the seed decides.
    /// - Returns: the owner's account, and whether it has an undo link of an address that the
    ///   intruder has proved.
    func ownerArrives() async throws -> (AccountID, keepsUndo: Bool) {
        let way = Arrival.Way.allCases[generator.next(below: 3)]
        note("owner: \(way)")
        let project = world.project.id
        // Any account of the intruder's: he may have left `v` with this one, and taken it with
        // another.
        let holder = try await holder(of: v)
        let hasProved = try await world.store.read { [x] (records) throws(ActionError) in
            guard let holder else { return false }
            return try records.provedAddresses(of: holder, in: project)[x] != nil
        }
        let keepsUndo = setting == .open && way == .reset && hasProved
        if let account = try await world.stored(id), account.email == v, account.enteredAt == account.createdAt, way == .link {
            passedOn = account
        }
        switch way {
        case .provider: break
        case .link, .reset:
            // No account has the address any more, which a project that hides its accounts does not
            // say.
            guard way == .link || holder != nil else { break }
            let request = CodeRequest(way == .link ? .signIn : .resetPassword, for: .address(v), with: ApprovedSettings(in: world.project))
            guard let code = try await world.accounts.send(request)?.code else { break }
            if way == .reset {
                let outcome = try await redeem(code, with: .newPassword(Self.ownersPassword))
                return (outcome.account ?? id, keepsUndo)
            }
            let pending = try await world.accounts.inspect(code, in: world.project).pending()
            return (try await world.accounts.signIn(pending, as: v).account.id, keepsUndo)
        }
        guard case .signedIn(let account, _) = try await world.accounts.signIn(identity("ada", v), in: world.project) else {
            throw NothingSent()
        }
        return (account.id, keepsUndo)
    }

    /// The owner presses the newest undo link in the mailbox `v`, if the account has another
    /// address, and chooses a new password.
    /// - Returns: the account; nil if the undo link has lived for its thirty days.
    func ownerRecovers() async throws -> AccountID? {
        if try await world.stored(id)?.email != v {
            let isInTime = leftAt.map { world.clock.now() < $0 + world.project.lifetimes[.recoverEmail] } ?? true
            guard let code = try await code(.recoverEmail, to: v) else {
                expect(!isInTime, "no undo link for the owner")
                return nil
            }
            note("owner: undo")
            let outcome = try? await redeem(code)
            guard outcome?.account == id else {
                expect(false, "the undo failed")
                return nil
            }
            try await expectUndone()
        }
        note("owner: reset")
        let request = CodeRequest(.resetPassword, for: .address(v), with: ApprovedSettings(in: world.project))
        guard let reset = try await world.accounts.send(request)?.code else {
            expect(false, "no reset for the owner")
            return nil
        }
        _ = try await redeem(reset, with: .newPassword(Self.ownersPassword))
        return id
    }

    /// An undo by itself, before the owner chooses a password, leaves the intruder no way in. A
    /// phone number and a second factor stay if they are older than the change.
    private func expectUndone() async throws {
        let profile = try await accounts.profiles([.id(id)], in: world.project.id).first
        guard let profile, let leftAt else { return expect(false, "no change to undo") }
        expect(profile.account.phoneLinkedAt.map { $0 < leftAt } ?? true, "the phone number after the undo")
        expect(profile.secondFactors.allSatisfy { $0.enrolledAt < leftAt }, "the second factor after the undo")
        try await expectNoWayIn(to: id, butNamed: true)
    }

    /// The owner's own provider, which no other user signs in with.
    func linkOwnersProvider() async throws {
        let (link, project, now) = (LinkedProvider(provider: "apple.com", rawID: "ada-\(seed)"), world.project.id, world.clock.now())
        try await world.store.transaction { [id] (records) throws(ActionError) in
            try records.insert(link, of: id, in: project, at: now)
        }
        // What is set up in one moment counts as later.
        world.clock.advance(by: .seconds(1))
    }

    private func hasOwnersProvider() async throws -> Bool {
        let profile = try await accounts.profiles([.id(id)], in: world.project.id).first
        return profile?.linkedProviders.contains { $0.provider == "apple.com" } ?? false
    }

    // MARK: What must be true

    /// A user who entered an account by phone before it got the address keeps it, without the
    /// address, and the owner of the address has a new account.
    func expectFormerUser(of owners: AccountID) async throws {
        guard let passedOn else { return }
        let former = try await world.stored(passedOn.id)
        expect(owners != passedOn.id, "an account in use was taken")
        expect(former?.phoneNumber == passedOn.phoneNumber && former?.email != v, "the former user lost more than the address")
    }

    /// The owner comes by a link to the address `v`, if the account has it and it is not verified.
    /// Nothing that the intruder set up since then opens the account, and the owner's own provider
    /// still does.
    func expectOwnerComesBack() async throws {
        guard let before = try await world.stored(id), before.email == v, !before.emailVerified else { return }
        let project = world.project.id
        let proof = try await world.store.read { [v] (records) throws(ActionError) in
            try records.provedAddresses(of: before)[v]
        }
        guard let since = proof?.unverifiedSince else { return expect(false, "the proof is forgotten") }
        // A reset by the intruder's own address has ended it.
        let hadProvider = try await hasOwnersProvider()
        note("owner comes back")
        let request = CodeRequest(.signIn, for: .address(v), with: ApprovedSettings(in: world.project))
        guard let code = try await world.accounts.send(request)?.code else { return expect(false, "no link for the owner") }
        let pending = try await world.accounts.inspect(code, in: world.project).pending()
        let account = try await world.accounts.signIn(pending, as: v).account
        expect(account.id == id && account.email == v && account.emailVerified, "another account")
        expect(account.passwordHash == nil, "the password")
        let isLatePhone = before.phoneLinkedAt.map { $0 >= since } ?? false
        expect(account.phoneNumber == (isLatePhone ? nil : before.phoneNumber), "the phone number")
        let hasProvider = try await hasOwnersProvider()
        expect(hasProvider == hadProvider, "the owner's provider has ended")
        for link in try await accounts.profiles([.id(id)], in: project).first?.linkedProviders ?? [] where link.rawID == "eve-\(seed)" {
            expect(linkedAt[link.provider].map { $0 < since } ?? false, "the provider")
        }
        for token in tokens { expect((try? await accounts.account(behind: token, in: project))?.id != id, "a session") }
        try await expectNoLinks(to: id)
    }

    private func expect(_ condition: Bool, _ sentence: String) {
        if !condition { failures.append(sentence) }
    }

    /// No session, password or provider of the intruder opens the account, and neither does a phone
    /// number or a second factor.
    /// - Parameter allowsNamed: whether a phone number and a second factor may be left, which the
    ///   owner is shown.
    func expectNoWayIn(to id: AccountID, butNamed allowsNamed: Bool = false) async throws {
        guard let profile = try await accounts.profiles([.id(id)], in: world.project.id).first else {
            return expect(false, "no account")
        }
        let account = profile.account
        let hasAddress = account.email == v && account.emailVerified
        expect(hasAddress || setting == .sharing && account.email == nil, "the address is \(account.email?.value ?? "none")")
        expect(try await !world.passwords.verify(Self.intrudersPassword, against: account.passwordHash), "the password")
        expect(!profile.linkedProviders.contains { $0.rawID == "eve-\(seed)" }, "the provider")
        expect(allowsNamed || account.phoneNumber != intrudersPhone, "the phone number")
        expect(allowsNamed || profile.secondFactors.isEmpty, "the second factor")
        for token in tokens {
            let opened = try? await accounts.account(behind: token, in: world.project.id)
            expect(opened?.id != id, "a session")
        }
        try await expectNoLinks(to: id)
    }

    /// No link in another mailbox does anything to the account, except an undo.
    private func expectNoLinks(to id: AccountID) async throws {
        for code in try await codes(to: [x, s]) where code.account == id && !code.action.isUndo {
            expect(false, "a link of \(code.action.rawValue)")
        }
    }

    /// A1: a mailbox whose address was not proved gets only what was asked for it.
    func expectMailsToProvedAddresses(ownerProved: Bool) async throws {
        for mail in try await mails() where !mail.kind.isAskedFor {
            let isProved =
                mail.recipient == v && ownerProved || mail.recipient == w || mail.recipient == x && hasProvedX
            expect(isProved, "\(mail.kind.rawValue) to \(mail.recipient.value)")
        }
    }

    /// An address is proved before an account changes to it, and only the newest wish counts.
    func expectProofAndOneWish() async throws {
        let account = try await world.stored(id)
        expect(setting == .open || account?.email != s, "an address without proof")
        let wishes = try await codes(to: [v, x, s]).filter { $0.account == id && $0.action == .verifyAndChangeEmail }
        expect(Set(wishes.map { $0.newEmail ?? $0.email }).count <= 1, "an older wish")
    }

    // MARK: Mailboxes

    private func mails() async throws -> [StoredMail] {
        try await world.store.mails(limit: 120).filter { [v, w, x, s].contains($0.recipient) }
    }

    /// The code of the newest live link of an action that was mailed to an address.
    func code(_ action: Action, to address: EmailAddress) async throws -> OobCode? {
        for mail in try await mails() where mail.kind.action == action && mail.recipient == address {
            if let (code, _) = try await live(mail) { return code }
        }
        return nil
    }

    /// The live codes that were mailed to some addresses.
    private func codes(to addresses: [EmailAddress]) async throws -> [StoredCode] {
        var codes: [StoredCode] = []
        for mail in try await mails() where mail.kind.action != nil && addresses.contains(mail.recipient) {
            if let (_, pending) = try await live(mail) { codes.append(try pending.stored().code) }
        }
        return codes
    }

    /// The code of a mail's link, if it is live.
    private func live(_ mail: StoredMail) async throws -> (OobCode, PendingAction)? {
        let link = try world.outbox.open(mail).link
        guard let code = link?.split(separator: "oobCode=").last.flatMap({ OobCode(String($0.prefix(43))) }) else { return nil }
        guard case .live(let pending) = try await world.accounts.inspect(code, in: world.project) else { return nil }
        return (code, pending)
    }

    func redeem(_ code: OobCode, with input: RedeemInput = .call()) async throws -> Outcome {
        try await world.accounts.redeem(try await world.accounts.inspect(code, in: world.project).pending(), with: input)
    }

    private func holder(of address: EmailAddress) async throws -> AccountID? {
        let project = world.project.id
        return try await world.store.read { (records) throws(ActionError) in
            try records.account(withEmail: address, in: project)?.id
        }
    }
}
