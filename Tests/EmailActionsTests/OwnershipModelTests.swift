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
            