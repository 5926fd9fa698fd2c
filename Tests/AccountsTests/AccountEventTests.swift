import Base
import Store
import Testing
import World
@testable import Accounts

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

    @Test func `an event is not written where no endpoint is told of it`() async throws {
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
    @Test func `one event tells of a whole import`() async throws {
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
    @Test func `an event tells of an import that was broken off`() async throws {
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
        // An endpoint that works again gets all others at once.
        #expect(try await world.store.hastenEvents(for: World.endpoint, lease: .seconds(60), at: world.clock.now()) == 0)
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

    /// The address may be in an event of the account that had it before.
    @Test func `of another account with an address of one that is erased is deleted`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        world.tellEvents()
        var change = AccountChange()
        change.email = EmailAddress("new@app.example")
        _ = try await world.change(change, byAdmin: true)
        let bob = try await world.account("ada@app.example", id: "bob")
        _ = try await world.accounts.erasure.erase(.account(bob.id), in: world.project.id)
        #expect(try await world.events().map(\.kind) == [.deleted])
    }

    // MARK: Attempts

    /// SQLite gives the place of a row that is gone to another.
    @Test func `an event is not ended by the answer to another that was dropped`() async throws {
        let world = try await World()
        world.tellEvents()
        try await world.account("ada@app.example")
        let now = world.clock.now()
        let sent = try await world.store.leaseEvents(for: World.endpoint, limit: 9, until: now + .seconds(60), at: now)
        let dropped = try #require(sent.first)
        #expect(try await world.store.dropEvents(id: dropped.event.id, in: nil, at: now) == 1)
        try await world.account("bob@app.example", id: "bob")
        try await world.store.delete(dropped, at: now)
        try await world.store.park(dropped, because: "410", at: now)
        try await world.store.postpone(dropped, until: now + .seconds(5), because: "500")
        let left = try await world.store.leaseEvents(for: World.endpoint, limit: 9, until: now, at: now)
        #expect(left.map(\.event.account) == [Self.bob] && left.first?.attempts == 0)
    }

    /// Later ones were postponed with it.
    @Test func `goes on when the one before it is dropped`() async throws {
        let world = try await World()
        try await world.account("ada@app.example")
        world.tellEvents()
        var change = AccountChange()
        for isDisabled in [true, false] {
            change.disabled = isDisabled
            _ = try await world.change(change, byAdmin: true)
        }
        let now = world.clock.now()
        let first = try #require(try await world.store.leaseEvents(for: World.endpoint, limit: 9, until: now, at: now).first)
        try await world.store.postpone(first, until: now + .hours(2), because: "500")
        #expect(try await world.store.dropEvents(id: first.event.id, in: nil, at: now) == 1)
        #expect(try await world.store.leaseEvents(for: World.endpoint, limit: 9, until: now, at: now).map(\.event.kind) == [.enabled])
    }

    private func delivery(attempts: Int, at moment: Timestamp) -> EventDelivery {
        let event = AccountEvent(id: "x", kind: .created, project: ProjectID(rawValue: "shop"), account: Self.ada, at: moment)
        return EventDelivery(
            position: 1, event: event, endpoint: "", queue: "ada", attempts: attempts, dueAt: moment, parkedAt: nil, cause: nil)
    }

    @Test func `an event is tried less and less often, for three days`() {
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
        #expect(try await world.store.dropEvents(id: first.event.id, in: nil, at: now) == 1)
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
