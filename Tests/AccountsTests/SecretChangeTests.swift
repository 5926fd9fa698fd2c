import Testing
import World
@testable import Accounts
@testable import Store

/// K8: while the secret is changed, what either secret made is found, and the current one seals.
/// K9: `onward secret reseal` leaves nothing sealed with the previous secret. K10: after the change
/// nothing that users have has ended, and the previous secret proves nothing.
@Suite struct `A change of the secret` {
    /// How far the change is.
    enum Stage: CaseIterable {
        /// Both secrets are configured.
        case during
        /// All is sealed again, and the previous secret is forgotten.
        case ended
        /// Another change to a third secret has ended, too.
        case endedTwice
    }

    private static func root(_ number: UInt8) -> [UInt8] { [UInt8](repeating: number, count: 32) }

    /// The secret of a new world.
    private static let first = Secrets(root: root(7))

    private static func world(_ change: (inout Project) throws -> Void = { _ in }) async throws -> World {
        let world = try await World(change)
        _ = try await world.store.recognize(world.secrets)
        return world
    }

    private static func changed(_ world: World, to stage: Stage) async throws -> World {
        var world = world
        for number: UInt8 in stage == .endedTwice ? [8, 9] : [8] {
            world = try await world.restarted(with: Secrets(root: root(number), previous: root(number - 1)))
            guard stage != .during else { return world }
            _ = try await world.store.reseal(by: world.secrets, limit: 2)
            world = try await world.restarted(with: Secrets(root: root(number)))
        }
        return world
    }

    @Test(arguments: Stage.allCases) func `leaves users signed in`(stage: Stage) async throws {
        let before = try await Self.world()
        let ada = try await before.account("ada@app.example")
        let accounts = try await before.signedAccounts()
        let tokens = try await accounts.openSession(for: ada, by: .password, from: "192.0.2.1")
        let world = try await Self.changed(before, to: stage)
        let after = try await world.signedAccounts()
        #expect(try await after.account(behind: tokens.idToken, in: world.project.id).id == ada.id)
        #expect(try await after.knows("192.0.2", of: .ada, in: world.project.id))
        #expect(try await !after.knows("192.0.3", of: .ada, in: world.project.id))
        let next = try await after.refresh(tokens.refreshToken, in: world.project)
        let last = try await after.refresh(next.refreshToken, in: world.project)
        #expect(last.account.id == ada.id)
        // The stolen token of before ends the sign-in, as it would have without a change.
        world.clock.advance(by: RefreshTokenRecord.grace + .seconds(1))
        await #expect(throws: ActionError.self) { try await after.refresh(tokens.refreshToken, in: world.project) }
        await #expect(throws: ActionError.self) { try await after.refresh(last.refreshToken, in: world.project) }
    }

    @Test(arguments: Stage.allCases) func `leaves links as they are, with their numbers`(stage: Stage) async throws {
        let before = try await Self.world { $0.confirmBy = .number }
        let code = try await before.issue(.verifyEmail)
        let number = code.confirmationNumber(by: before.secrets)
        let used = try #require(try await before.send(.verifyEmail))
        let world = try await Self.changed(before, to: stage)
        func press(_ code: OobCode, _ number: String) async throws -> PressResult {
            let press = Press(pageMadeAt: world.clock.now(), number: number, waysMark: try await world.waysMark(of: code))
            return try await world.accounts.press(
                ActionLink(action: .verifyEmail, code: code, apiKey: "shop-key"), press, in: world.project)
        }
        let wrong = number == "0000" ? "0001" : "0000"
        guard case .challenged = try await press(code, wrong) else { throw Unexpected() }
        guard case .applied = try await press(code, number) else { throw Unexpected() }
        guard case .inspected(.used) = try await press(code, number) else { throw Unexpected() }
        guard case .withdrawn = try await world.inspect(used) else { throw Unexpected() }
    }

    private struct Unexpected: Error {}

    /// Changing the secret must not lose second factors.
    @Test(arguments: Stage.allCases) func `leaves authenticator apps and recovery codes as they are`(stage: Stage) async throws {
        let before = try await Self.world()
        let ada = try await before.account("ada@app.example") { ($0.passwordHash, $0.emailVerified) = ("$scrypt$", true) }
        let app = try await before.enrollApp(for: "ada")
        let recovery = RecoveryCode(random: before.random.bytes)
        let digest = recovery.digest(of: ada, by: before.secrets)
        try await before.store.transaction { (records) throws(ActionError) in
            let factor = try records.secondFactors(of: ada.id, in: ada.project)[0]
            try records.insert(recoveryCodes: [digest], of: factor, of: ada)
        }
        let world = try await Self.changed(before, to: stage)
        let accounts = world.accounts(signedWith: nil)
        for (code, works) in [(app.wrongCode, false), (app.code, true), (recovery.text, true), (recovery.text, false)] {
            guard case .needsSecondFactor(let credential, _) = try await accounts.signIn(ada, by: .password) else { throw Unexpected() }
            let tokens = try? await accounts.finishSignIn(credential, with: .app(code, factor: "app"), in: world.project)
            #expect((tokens != nil) == works, "\(code)")
        }
    }

    @Test(arguments: Stage.allCases) func `leaves mails readable, found by their address, and suppressed`(stage: Stage) async throws {
        let before = try await Self.world()
        _ = try await before.issue(.verifyEmail)
        let mails = try await before.mails().compactMap(\.link)
        let suppressed = Suppression(
            .complaint, of: before.outbox.digest(of: .ada, in: before.project.id), in: before.project.id, from: .plain,
            at: before.clock.now())
        try await before.store.raw("UPDATE mail SET attempts = 1")
        #expect(try await before.store.suppress([try #require(suppressed)], by: nil, at: before.clock.now()) == .counted(suppressed: 1))
        let world = try await Self.changed(before, to: stage)
        #expect(try await world.mails().compactMap(\.link) == mails && !mails.isEmpty)
        let digest = world.outbox.digest(of: .ada, in: world.project.id)
        let now = world.clock.now()
        let records = try await world.store.mailRecords(to: digest, in: world.project.id, before: nil, limit: 10, at: now)
        #expect(records.count == 1)
        #expect(try await world.store.suppressions(of: digest, in: world.project.id, at: now).count == 1)
        #expect(try await world.store.removeSuppressions(of: digest, in: world.project.id) == 1)
    }

    @Test(arguments: Stage.allCases) func `leaves the keys of imported passwords and of providers as they are`(stage: Stage) async throws {
        let before = try await Self.world()
        let scheme = try HashScheme(Imports.parameters("HMAC_SHA256", key: Imports.signerKey, order: "SALT_AND_PASSWORD"))
        let hash = try before.passwords.stored([UInt8](repeating: 3, count: 32), salt: [1], hashedBy: scheme)
        try await before.account("ada@app.example") { $0.passwordHash = hash }
        let projects = before.current(Projects([before.project]))
        let sealed = before.secrets.seal(Array("hunter2".utf8), for: .clientSecret)
        _ = try await projects.changeProvider("google.com", of: before.project.id) { settings, _ in
            (settings.clientID, settings.sealedSecret) = ("one", sealed)
        }
        let world = try await Self.changed(before, to: stage)
        let stored = try #require(try await world.stored(AccountID(rawValue: "ada"))?.passwordHash)
        #expect(world.passwords.exported(stored) != nil)
        #expect((stored == hash) == (stage == .during))
        let settings = try await world.store.settings(changedAfter: 0)[0]
        let secret = ClientSecret.sealed(try #require(settings.settings?.providers["google.com"]?.sealedSecret))
        #expect(secret.text(by: world.secrets) == "hunter2")
        #expect(settings.revision == [.during: 1, .ended: 2, .endedTwice: 3][stage])
    }

    /// K10: an attacker who knows the previous secret cannot go on with what it proves.
    @Test func `ends what clients were handed sealed, with the previous secret`() async throws {
        let before = try await Self.world()
        let ada = try await before.account("ada@app.example")
        try await before.enrollApp(for: "ada")
        func works(_ credential: String, in world: World) async -> Bool {
            let code = SecondFactorCode.app(AuthenticatorApp(clock: world.clock).code, factor: "app")
            return (try? await world.accounts(signedWith: nil).finishSignIn(credential, with: code, in: world.project)) != nil
        }
        guard case .needsSecondFactor(let credential, _) = try await before.accounts(signedWith: nil).signIn(ada, by: .password) else {
            throw Unexpected()
        }
        let ended = try await Self.changed(before, to: .ended)
        #expect(await !works(credential, in: ended))
        #expect(await works(credential, in: try ended.restarted(with: Secrets(root: Self.root(8), previous: Self.root(7)))))
    }

    @Test func `cannot be forgotten before all is sealed again, nor begun twice`() async throws {
        let world = try await Self.world()
        _ = try await Self.changed(world, to: .during)
        for other in [Secrets(root: Self.root(8)), Self.first, Secrets(root: Self.root(9), previous: Self.root(8))] {
            await #expect(throws: ActionError.self) { try await world.restarted(with: other) }
        }
        #expect(try await world.store.secretState(of: Secrets(root: Self.root(8), previous: Self.root(7))) == .changing)
    }

    /// A command next to a server that still runs with the previous secret seals with that one.
    @Test func `begins with the start of a server`() async throws {
        let world = try await Self.world()
        let both = Secrets(root: Self.root(8), previous: Self.root(7))
        #expect(try await world.store.secretState(of: both) == .changesAtNextStart)
        let command = try await world.store.recognize(both)
        #expect(try Self.first.open(command.seal([1], for: .mail), for: .mail) == [1])
        #expect(try await world.store.secretState(of: both) == .changesAtNextStart)
        #expect(try await world.restarted(with: both).secrets.number == 2)
        #expect(try await world.store.recognize(both).number == 2)
    }

    @Test func `can be taken back at any time`() async throws {
        let before = try await Self.world()
        let ada = try await before.account("ada@app.example")
        var world = try await before.restarted(with: Secrets(root: Self.root(8), previous: Self.root(7)))
        let tokens = try await world.signedAccounts().openSession(for: ada, by: .password)
        world = try await world.restarted(with: Secrets(root: Self.root(7), previous: Self.root(8)))
        #expect(world.secrets.number == 1)
        _ = try await world.store.reseal(by: world.secrets)
        world = try await world.restarted(with: Self.first)
        #expect(try await world.signedAccounts().refresh(tokens.refreshToken, in: world.project).account.id == ada.id)
        #expect(try await world.store.secretState(of: Self.first) == .settled)
    }

    /// The keys of a former secret go with the last digest that it made.
    @Test func `is forgotten when nothing of the former secret is left`() async throws {
        let before = try await Self.world()
        let ada = try await before.account("ada@app.example")
        _ = try await before.signedAccounts().openSession(for: ada, by: .password)
        let world = try await Self.changed(before, to: .ended)
        #expect(
            try await world.store.formerDigests(by: world.secrets).filter { $0.count > 0 } == [FormerDigests(table: "session", count: 1)])
        #expect(try await world.restarted(with: Secrets(root: Self.root(8))).secrets.former.count == 1)
        try await world.store.raw("DELETE FROM session")
        #expect(try await world.store.formerDigests(by: world.secrets).allSatisfy { $0.count == 0 })
        #expect(try await world.restarted(with: Secrets(root: Self.root(8))).secrets.former.isEmpty)
    }

    /// A secret that was lost is found again.
    @Test func `recovers the values of a secret that was replaced`() async throws {
        let before = try await Self.world()
        try await before.account("ada@app.example")
        try await before.enrollApp(for: "ada")
        try await before.store.replaceSecret(with: Secrets(root: Self.root(8)))
        let lost = try await before.restarted(with: Secrets(root: Self.root(8)))
        #expect(try await lost.store.reseal(by: lost.secrets).map(\.counts.impossible).reduce(0, +) == 1)
        let found = Secrets(root: Self.root(8), previous: Self.root(7))
        #expect(try await lost.store.secretState(of: found) == .changing)
        let world = try await lost.restarted(with: found)
        #expect(try await world.store.reseal(by: world.secrets).map(\.counts.resealed).reduce(0, +) == 1)
        #expect(try await world.store.secretState(of: found) == .previousUnneeded)
    }
}

extension Store {
    fileprivate func raw(_ statement: String) async throws(ActionError) {
        try await transaction(records: { records throws(ActionError) in _ = try records.execute(statement) })
    }
}
