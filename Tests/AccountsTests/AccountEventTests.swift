import Base
import Store
import Testing
import World
@testable import Accounts

/// A change of the account `ada`, and how the back end of the app is told of it.
struct ToldChange: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The kinds, the address and the former address of the event; nil if it is not told.
    let told: String?
    let prepare: @Sendable (World) async throws -> Void
    let change: @Sendable (World) async throws -> Void

    init(
        _ name: String, is told: String?, after prepare: @escaping @Sendable (World) async throws -> Void = { try await verified($0) },
        _ change: @escaping @Sendable (World) async throws -> Void
    ) {
        (testDescription, self.told, self.prepare, self.change) = (name, told, prepare, change)
    }

    private static func verified(_ world: World) async throws {
        try await world.account("ada@app.example") { ($0.emailVerified, $0.passwordHash) = (true, "$scrypt$") }
    }

    private static func unverified(_ world: World) async throws { try await world.account("ada@app.example") }

    private static func update(_ world: World, byAdmin: Bool = true, _ change: (inout AccountChange) -> Void) async throws {
        var wish = AccountChange()
        change(&wish)
        _ = try await world.change(wish, byAdmin: byAdmin)
    }

    private static func linked(_ world: World) async throws {
        try await verified(world)
        try await update(world) { $0.link = LinkedProvider(provider: "google.com", rawID: "7") }
    }

    private static func enrolled(_ world: World) async throws {
        try await verified(world)
        try await update(world) { $0.secondFactors = [factor] }
    }

    private static let factor = SecondFactor(id: "f", kind: .phone, phoneNumber: "+15555550100", enrolledAt: Timestamp(seconds: 1))

    private static func redeem(_ world: World, _ action: Action, _ input: RedeemInput = .call()) async throws {
        try await world.redeem(try #require(try await world.send(action)), with: input)
    }

    private static func signIn(_ world: World) async throws {
        let code = try #require(try await world.send(.signIn))
        _ = try await world.accounts.signIn(try await world.inspect(code).pending(), as: .ada)
    }

    private static func identity() -> VerifiedIdentity {
        VerifiedIdentity(
            provider: "google.com", rawID: "g-1", email: .ada, isEmailVerified: true, profile: .init(fullName: "Ada"), rawUserInfo: "{}")!
    }

    static let all = [
        ToldChange("a sign-up", is: "account.created", after: { _ in }) { try await unverified($0) },
        ToldChange("an account with a verified address", is: "account.created email.verified", after: { _ in }) { try await verified($0) },
        ToldChange("a sign-up by link", is: "account.created sign_in.link email.verified", after: { _ in }) { try await signIn($0) },
        ToldChange("a sign-up by provider", is: "account.created email.verified provider.linked", after: { _ in }) { world in
            _ = try await world.accounts.signIn(identity(), in: world.project)
        },
        ToldChange("a deletion", is: "account.deleted") { world in
            let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
            try await world.accounts.erasure.delete(account)
        },
        ToldChange("a disabled account", is: "account.disabled sessions.ended") { try await update($0) { $0.disabled = true } },
        ToldChange(
            "an enabled account", is: "account.enabled",
            after: { world in
                try await verified(world)
                try await update(world) { $0.disabled = true }
            }
        ) { try await update($0) { $0.disabled = false } },
        ToldChange("a verified address", is: "email.verified ada@app.example", after: { try await unverified($0) }) {
            try await redeem($0, .verifyEmail)
        },
        ToldChange("an address that is verified again", is: "email.verified ada@app.example") { try await redeem($0, .verifyEmail) },
        ToldChange("a changed address", is: "email.changed email.verified sessions.ended new@app.example ada@app.example") {
            try await redeem($0, .verifyAndChangeEmail)
        },
        ToldChange("an address of an admin", is: "email.changed sessions.ended other@app.example ada@app.example") {
            try await update($0) { $0.email = EmailAddress("other@app.example") }
        },
        ToldChange("a removed address", is: "email.changed sessions.ended - ada@app.example") {
            try await update($0) { $0.deletesEmail = true }
        },
        ToldChange(
            "a restored address", is: "email.restored email.verified password.changed sessions.ended ada@app.example intruder@app.example"
        ) {
            let code = try #require(try await $0.send(.recoverEmail))
            _ = try await $0.store.dropEvents(id: $0.events()[0].id, in: nil)
            try await $0.redeem(code)
        },
        ToldChange("a reset", is: "password.reset email.verified sessions.ended", after: { try await unverified($0) }) {
            try await redeem($0, .resetPassword, .newPassword("a quiet long phrase"))
        },
        ToldChange("a reset that unlinks", is: "password.reset provider.unlinked sessions.ended", after: { try await linked($0) }) {
            try await redeem($0, .resetPassword, .newPassword("a quiet long phrase"))
        },
        ToldChange("a password", is: "password.changed sessions.ended") {
            try await update($0, byAdmin: false) { $0.password = "a quiet long phrase" }
        },
        ToldChange("a sign-in by link", is: "sign_in.link ada@app.example") { try await signIn($0) },
        ToldChange("a link to a provider", is: "provider.linked") { world in
            _ = try await world.accounts.signIn(identity(), in: world.project)
        },
        ToldChange("an unlinked provider", is: "provider.unlinked", after: { try await linked($0) }) {
            try await update($0) { $0.unlinks = ["google.com"] }
        },
        ToldChange("a phone number", is: "phone.set") { try await update($0) { $0.phoneNumber = PhoneNumber("+15555550100") } },
        ToldChange(
            "a removed phone number", is: "phone.removed",
            after: { world in
                try await verified(world)
                try await update(world) { $0.phoneNumber = PhoneNumber("+15555550100") }
            }
        ) { try await update($0) { $0.deletesPhoneNumber = true } },
        ToldChange("a second factor", is: "second_factor.enrolled sessions.ended") { try await update($0) { $0.secondFactors = [factor] } },
        ToldChange("a removed second factor", is: "second_factor.removed", after: { try await enrolled($0) }) {
            try await update($0) { $0.secondFactors = [] }
        },
        ToldChange("a second factor that its owner did not give", is: "second_factor.reverted sessions.ended") {
            let code = try #require(try await $0.send(.revertSecondFactorAddition))
            _ = try await $0.store.dropEvents(id: $0.events()[0].id, in: nil)
            try await $0.redeem(code)
        },
        ToldChange("revoked sessions", is: "sessions.ended") { world in
            try await update(world) { $0.validSince = world.clock.now() + .seconds(1) }
        },
        // A back end has no copy of what is only shown.
        ToldChange("a name", is: nil) { try await update($0) { $0.displayName = .set("Ada") } },
        ToldChange("a session", is: nil) { world in
            let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
            _ = try await world.accounts.openSession(for: account, by: .password)
        },
        ToldChange("a change that is refused", is: nil) { world in
            await expectRefused(.invalidOobCode) {
                let code = try #require(try await world.send(.verifyEmail))
                let pending = try await world.inspect(code).pending()
                let account = try #require(try await world.stored(AccountID(rawValue: "ada")))
                _ = try await world.accounts.redeem(pending)
                _ = try await world.store.dropEvents(id: try await world.events()[0].id, in: nil)
                _ = account
                _ = try await world.accounts.redeem(pending)
            }
        },
    ]
}

/// The back end of an app keeps data of each account, and acts when the account changes.
@Suite struct `An event of an account` {
    private static let (ada, bob, eve) = (AccountID(rawValue: "ada"), AccountID(rawValue: "bob"), AccountID(rawValue: "eve"))

    /// U5: one event for one change, written with it.
    @Test(arguments: ToldChange.all) func `tells of one change, and of what followed from it`(_ row: ToldChange) async throws {
        let world = try await World()
        try await row.prepare(world)
        world.tellEvents()
        try await row.change(world)
        let events = try await world.events()
        let words = events.map { event in
            let kinds = ([event.kind] + event.alsoKinds).map(\.rawValue)
            let former = event.formerEmail.map { [event.email?.value ?? "-", $0.value] } ?? [event.email?.value].compactMap(\.self)
            return (kinds + former).joined(separator: " ")
        }
        #expect(words == [row.told].compactMap(\.self))
        #expect(events.allSatisfy { $0.project == world.project.id && $0.at == world.clock.now() })
        if !row.testDescription.contains("by") { #expect(events.allSatisfy { $0.account == Self.ada }) }
    }

    @Test func `is not written where no endpoint is told of it`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        world.tellEvents([.deleted, .emailVerified])
        try await world.account("bob@app.example", id: "bob")
        #expect(try await world.events().isEmpty)
        try await world.redeem(try #require(try await world.send(.verifyEmail)))
        // Its first kind is another one.
        try await world.account("eve@app.example", id: "eve") { $0.emailVerified = true }
        #expect(try await world.events().map(\.kind) == [.emailVerified, .created])
    }

    @Test func `names what was linked and enrolled, and no address where none is concerned`() async throws {
        let two = try await Two()
        try await two.link("google.com", "7", to: "bob")
        try await two.enrolPhone("+15555550100", "phone", of: "bob")
        two.world.tellEvents()
        try await two.change("bob") { $0.secondFactors = [] }
        try await two.change("bob") { $0.unlinks = ["google.com"] }
        let events = try await two.world.events()
        #expect(events.map { $0.json["data"]?["removedSecondFactors"]?.text } == [#"["phone"]"#, nil])
        #expect(events.map { $0.json["data"]?["unlinkedProviders"]?.text } == [nil, #"["google.com"]"#])
        #expect(events.allSatisfy { !$0.json.text.contains("@") })
    }

    /// U5: of an import one event tells, whatever its size.
    @Test func `tells of a whole import`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        world.tellEvents()
        let users = (0..<250).map { number in
            UserImport.Row.success(
                ImportedUser(Account(project: world.project.id, id: AccountID(rawValue: "\(number)"), createdAt: world.clock.now())))
        }
        let ada = UserImport.Row.success(ImportedUser(try #require(try await world.stored(Self.ada))))
        _ = try await world.accounts.imports.take(users + [ada], hashedBy: nil, existing: .overwrite)
        let told = try await world.events()
        #expect(told.map(\.kind) == [.imported])
        #expect(told.first?.json["data"]?["added"] == .int(250) && told.first?.json["data"]?["overwritten"] == .int(1))
    }

    /// A process that is killed in the middle of an import has told of what it stored.
    @Test func `tells of an import that was broken off`() async throws {
        let world = try await World()
        world.tellEvents()
        var progress = world.accounts.imports.begin()
        let bob = Account(project: world.project.id, id: Self.bob, createdAt: world.clock.now())
        _ = try await world.accounts.imports.take([.success(ImportedUser(bob))], of: &progress, hashedBy: nil, existing: .refuse)
        func due() async throws -> [AccountEvent.Kind] {
            let now = world.clock.now()
            return try await world.store.leaseEvents(for: World.endpoint, limit: 9, until: now, at: now).map(\.event.kind)
        }
        #expect(try await due() == [])
        world.clock.advance(by: ImportProgress.patience)
        #expect(try await due() == [.imported])
    }

    // MARK: Merging

    private func told(_ world: World) async throws -> [String] {
        var told: [String] = []
        while true {
            let now = world.clock.now()
            let due = try await world.store.leaseEvents(for: World.endpoint, limit: 9, until: now + .seconds(60), at: now)
            guard let first = due.first else { return told }
            // The next one of the account waits for this one.
            #expect(due.count == 1)
            told.append(
                "\(first.event.kind.rawValue) \(first.event.account?.rawValue ?? "") \(first.event.json["data"]?["fromLocalId"]?.string ?? "")"
            )
            try await world.store.delete(first, at: now)
        }
    }

    private func merged() async throws -> Two {
        let two = try await Two()
        two.world.tellEvents()
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        return two
    }

    @Test func `tells of a merge and its undoing with both accounts`() async throws {
        let two = try await merged()
        try await two.merging.unmerge(two.merge, in: two.world.project.id, language: "en")
        #expect(try await told(two.world) == ["account.merged ada bob", "account.unmerged ada bob"])
    }

    @Test func `outlives its account when that is merged, too, and comes first`() async throws {
        let two = try await merged()
        let eve = Account(project: two.world.project.id, id: Self.eve, createdAt: two.world.clock.now())
        two.world.store.tell([], now: two.world.clock.now, random: two.world.random.bytes)
        try await two.world.store.transaction { (records) throws(ActionError) in try records.insert(eve) }
        two.world.tellEvents()
        _ = try await two.merging.merge(Merge(into: Self.eve, from: Self.ada), in: two.world.project.id, language: "en")
        #expect(try await told(two.world) == ["account.merged ada bob", "account.merged eve ada"])
    }

    /// A deletion does not delete the events before it, an erasure does.
    @Test func `outlives a deletion, and no erasure`() async throws {
        for erases in [false, true] {
            let two = try await merged()
            let ada = try #require(try await two.profile("ada")).account
            if erases {
                _ = try await two.world.accounts.erasure.erase(.account(Self.ada), in: two.world.project.id)
            } else {
                try await two.world.accounts.erasure.delete(ada)
            }
            #expect(try await told(two.world) == (erases ? [] : ["account.merged ada bob"]) + ["account.deleted ada "])
        }
    }

    @Test func `with an address that is erased is deleted`() async throws {
        let world = try await World()
        try await world.account("ada@app.example") { $0.emailVerified = true }
        world.tellEvents()
        try await world.redeem(try #require(try await world.send(.verifyAndChangeEmail)))
        #expect(try await world.events().map(\.kind) == [.emailChanged])
        _ = try await world.accounts.erasure.erase(.address(.ada), in: world.project.id)
        #expect(try await world.events().isEmpty)
    }

    // MARK: Attempts

    private func delivery(attempts: Int, at moment: Timestamp) -> EventDelivery {
        let event = AccountEvent(id: "x", kind: .created, project: ProjectID(rawValue: "shop"), account: Self.ada, at: moment)
        return EventDelivery(
            position: 1, event: event, endpoint: "", queue: "ada", attempts: attempts, dueAt: moment, parkedAt: nil, cause: nil)
    }

    @Test func `is tried less and less often, for three days`() {
        let start = Timestamp(seconds: 1_000_000)
        let waits = (0..<9).map { delivery(attempts: $0, at: start).nextAttempt(after: start).map { $0 - start } }
        #expect(waits == [5, 15, 45, 135, 405, 1215, 3645, 7200, 7200].map { .seconds($0) })
        let late = start + .days(3)
        #expect(delivery(attempts: 40, at: start).nextAttempt(after: late + .seconds(-1)) != nil)
        #expect(delivery(attempts: 40, at: start).nextAttempt(after: late) == nil)
        // No server ran for days.
        #expect(delivery(attempts: 0, at: start).nextAttempt(after: late) != nil)
    }

    @Test func `that was given up holds back none, and is sent again on request`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        world.tellEvents()
        var change = AccountChange()
        for isDisabled in [true, false] {
            change.disabled = isDisabled
            _ = try await world.change(change, byAdmin: true)
        }
        let now = world.clock.now()
        func due(at moment: Timestamp) async throws -> [EventDelivery] {
            try await world.store.leaseEvents(for: World.endpoint, limit: 9, until: moment, at: moment)
        }
        let first = try #require(try await due(at: now).first)
        try await world.store.postpone(first, until: now + .seconds(5), because: "500")
        #expect(try await due(at: now).isEmpty)
        let again = try #require(try await due(at: now + .seconds(5)).first)
        #expect(again.attempts == 1 && again.cause == "500" && again.event == first.event)
        try await world.store.park(again, because: "410", at: now)
        #expect(try await due(at: now).map(\.event.kind) == [.enabled])
        #expect(try await world.store.events(parked: true, in: nil, limit: 9).map(\.cause) == ["410"])
        #expect(try await world.store.retryEvents(id: nil, in: nil, at: now) == 1)
        #expect(try await due(at: now).map(\.event.kind) == [.disabled])
        #expect(try await world.store.dropEvents(id: first.event.id, in: nil) == 1)
        #expect(try await due(at: now).map(\.event.kind) == [.enabled])
    }
}

extension Two {
    fileprivate func change(_ id: String, _ change: (inout AccountChange) -> Void) async throws {
        var wish = AccountChange()
        change(&wish)
        try await self.change(id, wish)
    }
}
