import Accounts
import AppLinks
import Logging
import Store
import Testing
import World
@testable import Server

@Suite struct `Counts of visits of short links` {
    private let counter = ShortLinkCounter()

    private func storage(_ world: World) -> ShortLinkCountStorage {
        ShortLinkCountStorage(
            counter: counter, store: world.store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func link(at path: String, in world: World) async throws -> ShortLink {
        let proposal = try world.project.propose(shortLinkTo: "https://links.example/?link=https://app.example/", at: world.clock.now())
        return try await world.accounts.shortLinks.create(proposal, at: try #require(ShortLinkPath(path)))
    }

    private func visit(_ link: Int, day: Int = 20_000) -> ShortLinkVisit {
        ShortLinkVisit(link: link, day: day, platform: .android, event: .click)
    }

    private func stored(_ link: Int, in world: World) async throws -> Int {
        try await world.store.read({ (records) throws(ActionError) in
            try records.shortLinkCounts(of: link, since: 0).reduce(0) { $0 + $1.count }
        })
    }

    @Test func `are added to those that are stored`() async throws {
        let world = try await World()
        let link = try await link(at: "/a", in: world)
        for round in 1...2 {
            for _ in 0..<3 { counter.count(visit(link.id)) }
            try await storage(world).storeAll()
            #expect(try await stored(link.id, in: world) == 3 * round)
            #expect(counter.take().isEmpty)
        }
    }

    /// R18: one of the two transactions fails, for a count that the schema refuses.
    @Test func `are neither lost nor counted twice if the store fails`() async throws {
        let world = try await World()
        let link = try await link(at: "/a", in: world)
        let days = 19_000..<19_700
        for day in days { counter.count(visit(link.id, day: day)) }
        counter.add([visit(link.id): 0])
        await #expect(throws: ActionError.self) { try await storage(world).storeAll() }
        await storage(world).finish()

        let kept = counter.take()
        counter.add(kept)
        #expect(try await stored(link.id, in: world) + kept.values.reduce(0, +) == days.count)
        counter.count(visit(link.id))
        try await storage(world).storeAll()
        #expect(try await stored(link.id, in: world) == days.count + 1)
    }

    @Test func `of a link that does not exist hold back no others`() async throws {
        let world = try await World()
        let link = try await link(at: "/a", in: world)
        for id in [link.id, link.id + 1] { counter.count(visit(id)) }
        try await storage(world).storeAll()
        #expect(try await stored(link.id, in: world) == 1)
        #expect(try await stored(link.id + 1, in: world) == 0)
        #expect(counter.take().isEmpty)
    }
}
