import Base
import Store
import Testing
import World
@testable import Accounts

/// The app's data would stay with an account that does not exist any more.
@Suite struct `An event that the app was not told of` {
    private static let (ada, bob, eve) = (AccountID(rawValue: "ada"), AccountID(rawValue: "bob"), AccountID(rawValue: "eve"))

    /// Takes the events that the webhook gets now, each once the one before it was taken.
    private func told(_ world: World) async throws -> [Merge] {
        var told: [Merge] = []
        while let event = try await world.store.leaseAccountEvent(until: world.clock.now() + .seconds(60), at: world.clock.now()) {
            // The next one of the account waits for this one.
            #expect(try await world.store.leaseAccountEvent(until: world.clock.now() + .seconds(60), at: world.clock.now()) == nil)
            told.append(event.merge)
            try await world.store.delete(event)
        }
        return told
    }

    private func merged() async throws -> Two {
        let two = try await Two()
        _ = try await two.merging.merge(two.merge, in: two.world.project.id, language: "en")
        return two
    }

    @Test func `outlives its account when that is merged, too, and comes first`() async throws {
        let two = try await merged()
        try await two.world.account("eve@app.example", id: "eve")
        let next = Merge(into: Self.eve, from: Self.ada)
        _ = try await two.merging.merge(next, in: two.world.project.id, language: "en")
        #expect(try await told(two.world) == [two.merge, next])
    }

    @Test func `is deleted with the account that its own was merged into`() async throws {
        let two = try await merged()
        let eve = try await two.world.account("eve@app.example", id: "eve")
        _ = try await two.merging.merge(Merge(into: Self.eve, from: Self.ada), in: two.world.project.id, language: "en")
        try await two.world.accounts.erasure.delete(eve)
        #expect(try await told(two.world).isEmpty)
    }

    @Test func `outlives an import over its account`() async throws {
        let two = try await merged()
        let imports = UserImport(store: two.world.store, passwords: two.world.passwords, now: two.world.clock.now)
        let ada = try #require(try await two.profile("ada")).account
        let verdicts = try await imports.take([.success(ImportedUser(ada))], hashedBy: nil, existing: .overwrite)
        #expect(verdicts == [.overwritten])
        #expect(try await told(two.world) == [two.merge])
    }
}
