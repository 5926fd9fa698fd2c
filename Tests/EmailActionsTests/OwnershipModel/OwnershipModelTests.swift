import Accounts
import Foundation
import Store
import Testing
import World

@testable import EmailActions

/// Random histories of an account, with an owner who has the mailbox `v`, an intruder who has the
/// mailbox `x` and one session, and a stranger who has the mailbox `s` and never does anything.
///
/// The environment variable ONWARD_MODEL_HISTORIES sets how many histories are played, and
/// ONWARD_MODEL_SEED the first of them. ONWARD_TEST_ENGINE chooses the database.
@Suite struct `In random histories` {
    private static let environment = ProcessInfo.processInfo.environment
    private static let histories = environment["ONWARD_MODEL_HISTORIES"].flatMap { Int($0) } ?? 150
    private static let firstSeed = environment["ONWARD_MODEL_SEED"].flatMap { UInt64($0) } ?? 1
    private static let seeds = (0..<UInt64(histories)).map { firstSeed + $0 }

    /// A4: nothing that was set up before the owner came lets the intruder in, with default
    /// settings.
    @Test func `an account made in advance gives its maker nothing once its owner has come`() async throws {
        let world = try await World { $0.hidesAccounts = true }
        for seed in Self.seeds {
            let history = try await History(seed, in: world)
            try await history.begin(proved: false)
            try await history.intrude(steps: 10)
            try await history.expectMailsToProvedAddresses(ownerProved: false)
            let owners = try await history.ownerArrives()
            try await history.expectNoWayIn(to: owners)
            try await history.intrude(steps: 6)
            try await history.expectNoWayIn(to: owners)
        }
    }

    /// A1: an undo and a reset give the owner the account back, whatever the intruder did.
    @Test(arguments: [true, false])
    func `the owner of a proved address gets the account back by a mail that was sent`(_ hidden: Bool) async throws {
        let world = try await World { $0.hidesAccounts = hidden }
        for seed in Self.seeds {
            let history = try await History(seed, in: world)
            try await history.begin(proved: true)
            try await history.intrude(steps: 10)
            try await history.expectMailsToProvedAddresses(ownerProved: true)
            let account = try await history.ownerRecovers()
            try await history.expectNoWayIn(to: account, butPhone: true)
            try await history.intrude(steps: 6)
            try await history.expectNoWayIn(to: account, butPhone: true)
        }
    }
}

/// One history. All its names contain its seed, so that many share a database.
private final class History {
    private let seed: UInt64
    private let world: World
    private let accounts: Accounts
    private var generator: Generator
    private var log: [String] = []
    private let id: AccountID
    /// The intruder's ID tokens.
    private var tokens: [String] = []
    private var hasProvedX = false
    private var start: Timestamp

    private static let intrudersPassword = "the intruder's phrase"
    private static let ownersPassword = "a quiet long phrase"

    init(_ seed: UInt64, in world: World) async throws {
        (self.seed, self.world, generator) = (seed, world, Generator(state: seed))
        accounts = world.accounts(signedWith: nil)
        id = AccountID(rawValue: "account-\(seed)")
        start = world.clock.now()
    }

    private var v: EmailAddress { EmailAddress("v\(seed)@app.example")! }
    private var x: EmailAddress { EmailAddress("x\(seed)@evil.example")! }
    private var s: EmailAddress { EmailAddress("s\(seed)@else.example")! }
    private var intrudersPhone: PhoneNumber { PhoneNumber("+1500555\(1000 + seed % 9000)")! }

    private func identity(_ name: String, _ email: EmailAddress) -> VerifiedIdentity {
        VerifiedIdentity(
            provider: "google.com", rawID: "\(name)-\(seed)", email: email, isEmailVerified: true, profile: .init(fullName: name),
            rawUserInfo: "{}")!
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
        log.append("begin \(kind)")
        tokens = [try await accounts.openSession(for: account, by: kind == 2 ? .phone : .password).idToken]
        if kind == 3 { try await attempt("first address") { try await self.update { $0.email = address } } }
    }

    // MARK: What the intruder does

    func intrude(steps: Int) async throws {
        for _ in 0..<steps { try await step() }
    }

    private func step() async throws {
        let moves: [(String, () async throws -> Void)] = [
            ("password", { try await self.update { $0.password = Self.intrudersPassword } }),
            ("address x", { try await self.update { $0.email = self.x } }),
            ("address s", { try await self.update { $0.email = self.s } }),
            ("address v", { try await self.update { $0.email = self.v } }),
            ("remove address", { try await self.update { $0.deletesEmail = true } }),
            ("move to x", { try await self.moveToX() }),
            ("ask for s", { _ = try await self.ask(.verifyAndChangeEmail, for: try await self.signedIn(), newEmail: self.s) }),
            ("ask to verify", { _ = try await self.ask(.verifyEmail, for: try await self.signedIn()) }),
            ("link google", { try await self.linkGoogle() }),
            ("link phone", { try await self.linkPhone() }),
            ("google", { try await self.signIn(by: self.identity("eve", self.x)) }),
            ("link to x", { try await self.signInByLinkToX() }),
            ("reset x", { try await self.resetX() }),
            ("verify x", { try await self.press(.verifyEmail) }),
            ("undo at x", { try await self.press(.recoverEmail) }),
            ("wait", { self.world.clock.advance(by: .seconds(3600 * (1 + self.generator.next(below: 12)))) }),
        ]
        let (name, move) = moves[generator.next(below: moves.count)]
        try await attempt(name, move)
    }

    /// A refusal is an answer like any other.
    private func attempt(_ name: String, _ move: () async throws -> Void) async throws {
        do {
            try await move()
            log.append(name)
        } catch let error as ActionError {
            guard case .refused(let refusal, _) = error else { throw error }
            log.append("\(name) (\(refusal.rawValue))")
        } catch is NothingSent { log.append("\(name) (nothing)") }
    }

    /// The account of the intruder's newest session that is valid.
    private func signedIn() async throws -> Account {
        for token in tokens.reversed() {
            if let account = try? await accounts.account(behind: token, in: world.project.id) { return account }
        }
        throw NothingSent()
    }

    /// Opens another session, as a client does whose credentials have changed.
    private func goOn(as account: Account) async throws {
        tokens.append(try await accounts.openSession(for: account, by: .password).idToken)
    }

    private func update(_ edit: (inout AccountChange) -> Void) async throws {
        var change = AccountChange()
        edit(&change)
        try await goOn(as: try await world.actions.update(try await signedIn(), with: change, in: world.project).account)
    }

    private func ask(_ action: Action, for account: Account, newEmail: EmailAddress? = nil) async throws -> OobCode? {
        var request = CodeRequest(action, for: .account(account), with: ApprovedSettings(in: world.project))
        request.newEmail = newEmail
        return try await world.actions.send(request)?.code
    }

    private func redeem(_ code: OobCode, with input: RedeemInput = .call()) async throws -> Outcome {
        try await world.actions.redeem(try await world.actions.inspect(code, in: world.project).pending(), with: input)
    }

    private func moveToX() async throws {
        guard let code = try await ask(.verifyAndChangeEmail, for: try await signedIn(), newEmail: x) else { throw NothingSent() }
        _ = try await redeem(code)
        hasProvedX = true
    }

    private func linkGoogle() async throws {
        let account = try await world.actions.link(identity("eve", x), to: try await signedIn(), in: world.project)
        hasProvedX = hasProvedX || account.email == x && account.emailVerified
    }

    private func linkPhone() async throws {
        let (seen, number, now) = (try await signedIn(), intrudersPhone, world.clock.now())
        _ = try await world.actions.link(
            { (records) throws(ActionError) in
                guard try records.account(withPhoneNumber: number, in: seen.project) == nil else { throw .refused(.phoneNumberExists) }
                guard var account = try records.account(seen.id, in: seen.project) else { throw .refused(.userNotFound) }
                account.setPhoneNumber(number, at: now)
                try records.update(account)
                return .proven(account, isNew: false)
            }, to: seen, in: world.project)
    }

    private func signIn(by identity: VerifiedIdentity) async throws {
        guard case .signedIn(let account, _) = try await world.actions.signIn(identity, in: world.project) else { return }
        if account.email == x { hasProvedX = hasProvedX || account.emailVerified }
        try await goOn(as: account)
    }

    private func signInByLinkToX() async throws {
        let request = CodeRequest(.signIn, for: .address(x), with: ApprovedSettings(in: world.project))
        guard let code = try await world.actions.send(request)?.code else { throw NothingSent() }
        let signedIn = try await world.actions.signIn(try await world.actions.inspect(code, in: world.project).pending(), as: x)
        hasProvedX = true
        try await goOn(as: signedIn.account)
    }

    private func resetX() async throws {
        let request = CodeRequest(.resetPassword, for: .address(x), with: ApprovedSettings(in: world.project))
        guard let code = try await world.actions.send(request)?.code else { throw NothingSent() }
        let outcome = try await redeem(code, with: .newPassword(Self.intrudersPassword))
        hasProvedX = true
        if let id = outcome.account, let account = try await world.stored(id) { try await goOn(as: account) }
    }

    /// Presses the newest link of an action in the mailbox `x`.
    private func press(_ action: Action) async throws {
        guard let code = try await code(action, to: x) else { throw NothingSent() }
        _ = try await redeem(code)
        hasProvedX = true
    }

    // MARK: What the owner does

    /// The owner comes to the address `v`, by a way that the seed decides.
    func ownerArrives() async throws -> AccountID {
        let way = Arrival.Way.allCases[generator.next(below: 3)]
        log.append("owner: \(way)")
        switch way {
        case .provider: break
        case .link, .reset:
            let request = CodeRequest(way == .link ? .signIn : .resetPassword, for: .address(v), with: ApprovedSettings(in: world.project))
            guard let code = try await world.actions.send(request)?.code else { break }
            guard way == .link else { return try #require(try await redeem(code, with: .newPassword(Self.ownersPassword)).account) }
            let pending = try await world.actions.inspect(code, in: world.project).pending()
            return try await world.actions.signIn(pending, as: v).account.id
        }
        guard case .signedIn(let account, _) = try await world.actions.signIn(identity("ada", v), in: world.project) else {
            throw NothingSent()
        }
        return account.id
    }

    /// The owner presses the newest undo link in the mailbox `v`, if the account has another
    /// address, and chooses a new password.
    func ownerRecovers() async throws -> AccountID {
        if try await world.stored(id)?.email != v {
            let code = try #require(try await code(.recoverEmail, to: v), "seed \(seed): no undo link for the owner. \(log)")
            let outcome = try? await redeem(code)
            #expect(outcome?.account == id, "seed \(seed): the undo failed. \(log)")
        }
        let request = CodeRequest(.resetPassword, for: .address(v), with: ApprovedSettings(in: world.project))
        let reset = try #require(try await world.actions.send(request)?.code)
        _ = try await redeem(reset, with: .newPassword(Self.ownersPassword))
        return id
    }

    // MARK: What must be true

    /// No session, password, provider or phone number of the intruder opens the account, and it has
    /// its address.
    func expectNoWayIn(to id: AccountID, butPhone allowsPhone: Bool = false) async throws {
        let profile = try #require(try await accounts.profiles([.id(id)], in: world.project.id).first)
        let account = profile.account
        #expect(account.email == v && account.emailVerified, "seed \(seed): the address is \(account.email?.value ?? "none"). \(log)")
        #expect(
            try await !world.passwords.verify(Self.intrudersPassword, against: account.passwordHash), "seed \(seed): the password. \(log)")
        #expect(!profile.linkedProviders.contains { $0.rawID == "eve-\(seed)" }, "seed \(seed): the provider. \(log)")
        #expect(allowsPhone || account.phoneNumber != intrudersPhone, "seed \(seed): the phone number. \(log)")
        for token in tokens {
            let opened = try? await accounts.account(behind: token, in: world.project.id)
            #expect(opened?.id != id, "seed \(seed): a session. \(log)")
        }
    }

    /// A1: a mailbox whose address was not proved gets only what was asked for it.
    func expectMailsToProvedAddresses(ownerProved: Bool) async throws {
        for mail in try await mails() where !mail.kind.isAskedFor {
            let isProved = mail.recipient == v && ownerProved || mail.recipient == x && hasProvedX
            #expect(isProved, "seed \(seed): \(mail.kind.rawValue) to \(mail.recipient.value). \(log)")
        }
    }

    private func mails() async throws -> [StoredMail] {
        try await world.store.mails(limit: 40).filter { [v, x, s].contains($0.recipient) }
    }

    /// The code of the newest live link of an action that was mailed to an address.
    private func code(_ action: Action, to address: EmailAddress) async throws -> OobCode? {
        for mail in try await mails() where mail.kind.action == action && mail.recipient == address {
            let link = try world.outbox.open(mail).link
            guard let code = link?.split(separator: "oobCode=").last.flatMap({ OobCode(String($0.prefix(43))) }) else { continue }
            if case .live = try await world.actions.inspect(code, in: world.project) { return code }
        }
        return nil
    }
}

/// SplitMix64: the same numbers for the same seed. Source: Steele, Lea and Flood, 2014.
private struct Generator {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
