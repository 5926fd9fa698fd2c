import Accounts
import Base
import Testing
@testable import Store

@Suite(.temporaryFolder) struct `A short link` {
    private static let origin = "https://links.example.com"

    private func draft(_ link: String = "https://links.example.com/?link=a", in project: ProjectID = .shop, origin: String = origin)
        -> ShortLinkDraft
    {
        ShortLinkDraft(project: project, origin: origin, link: link, name: "Spring", createdAt: .noon, disabledAt: nil)
    }

    private func insert(_ draft: ShortLinkDraft, at path: String, number: Int? = nil, into store: Store) async throws -> ShortLink? {
        try await store.transaction({ (records) throws(ActionError) in
            try records.insert(draft, at: path, clientNumber: number)
        })
    }

    private func found(_ path: String, on origin: String = origin, in store: Store) async throws -> ShortLink? {
        try await store.read({ (records) throws(ActionError) in try records.shortLink(at: path, on: origin) })
    }

    @Test(arguments: Engine.allCases) func `is found by its host and its path, whose case matters`(on engine: Engine) async throws {
        let store = try await engine.store()
        let link = try #require(try await insert(draft(), at: "/aB", number: 1, into: store))
        #expect(try await found("/aB", in: store) == link)
        #expect(link.name == "Spring" && link.createdAt == .noon && link.clientNumber == 1 && link.disabledAt == nil)
        #expect(link.url == "https://links.example.com/aB")
        for (path, origin) in [("/ab", Self.origin), ("/aB/", Self.origin), ("/aB", "https://other.example")] {
            #expect(try await found(path, on: origin, in: store) == nil)
        }
    }

    @Test(arguments: Engine.allCases) func `leaves a path that is taken as it is`(on engine: Engine) async throws {
        let store = try await engine.store()
        let first = try await insert(draft(), at: "/a", into: store)
        #expect(try await insert(draft("https://links.example.com/?link=b"), at: "/a", into: store) == nil)
        #expect(try await found("/a", in: store) == first)
        #expect(try await insert(draft(origin: "https://other.example"), at: "/a", into: store) != nil)
    }

    @Test(arguments: Engine.allCases) func `is listed page by page, and ends when it is disabled`(on engine: Engine) async throws {
        let store = try await engine.store()
        var links: [ShortLink] = []
        for (path, project) in [("/a", ProjectID.shop), ("/b", .blog), ("/c", .shop)] {
            links.append(try #require(try await insert(draft(in: project), at: path, into: store)))
        }
        #expect(try await store.shortLinks(in: .shop, after: 0, limit: 9) == [links[0], links[2]])
        #expect(try await store.shortLinks(after: links[0].id, limit: 1) == [links[1]])
        #expect(try await store.disable(links[0], at: .noon + .seconds(1)))
        #expect(try await !store.disable(links[0], at: .noon + .seconds(2)))
        #expect(try await found("/a", in: store)?.disabledAt == .noon + .seconds(1))
        #expect(try await found("/c", in: store)?.disabledAt == nil)
        #expect(try await store.disable(links[0], at: nil))
        #expect(try await found("/a", in: store) == links[0])
    }

    @Test(arguments: Engine.allCases) func `of a client has a number of its own in its project`(on engine: Engine) async throws {
        let store = try await engine.store()
        for (path, project, number) in [("/a", ProjectID.shop, 1), ("/b", .shop, 2), ("/c", .blog, 1)] {
            #expect(try await insert(draft(in: project), at: path, number: number, into: store) != nil)
        }
        #expect(try await insert(draft(), at: "/d", into: store) != nil)
        for (project, count) in [(ProjectID.shop, 2), (.blog, 1), (ProjectID(rawValue: "other"), 0)] {
            #expect(
                try await store.read({ (records) throws(ActionError) in try records.countClientShortLinks(in: project) }) == count)
        }
        await #expect(throws: ActionError.self) { try await insert(draft(), at: "/e", number: 2, into: store) }
        // A disabled link keeps its number, and is not counted among those that work.
        let first = try #require(try await found("/a", in: store))
        #expect(try await store.disable(first, at: .noon))
        let counts = try await store.read({ (records) throws(ActionError) in
            [try records.countClientShortLinks(in: .shop), try records.countLiveClientShortLinks(in: .shop)]
        })
        #expect(counts == [2, 1])
    }

    /// The schema itself refuses what must never be stored (O1).
    @Test(arguments: Engine.allCases) func `never contains a code, and has a path`(on engine: Engine) async throws {
        let store = try await engine.store()
        for link in ["https://links.example.com/?link=x%3FOobCode%3Da", "https://x/" + String(repeating: "x", count: 7_200)] {
            await #expect(throws: ActionError.self) { try await insert(draft(link), at: "/a", into: store) }
        }
        for path in ["", "/", "a", "/" + String(repeating: "a", count: 255)] {
            await #expect(throws: ActionError.self) { try await insert(draft(), at: path, into: store) }
        }
    }

    @Test(arguments: Engine.allCases) func `is imported once`(on engine: Engine) async throws {
        let store = try await engine.store()
        let other = "https://links.example.com/?link=b"
        #expect(try await store.importShortLinks([]) == [])
        #expect(try await store.importShortLinks([(draft(), "/a"), (draft(), "/b"), (draft(other), "/a")]) == [.added, .added, .taken])
        #expect(
            try await store.importShortLinks([(draft(), "/a"), (draft(other), "/b"), (draft(in: .blog), "/a")]) == [
                .existing, .taken, .taken,
            ])
        #expect(try await store.shortLinks(after: 0, limit: 9).map(\.path) == ["/a", "/b"])
    }

    @Test(arguments: Engine.allCases) func `has its visits counted by day`(on engine: Engine) async throws {
        let store = try await engine.store()
        let link = try #require(try await insert(draft(), at: "/a", into: store))
        func visit(_ day: Int, _ platform: ShortLinkVisit.DeviceKind = .apple, _ event: ShortLinkVisit.Event = .click) -> ShortLinkVisit {
            ShortLinkVisit(link: link.id, day: day, platform: platform, event: event)
        }
        try await store.add([visit(10): 2, visit(11): 1, visit(11, .desktop, .redirect): 5])
        // A count of a link that does not exist is dropped.
        let missing = ShortLinkVisit(link: link.id + 1, day: 11, platform: .apple, event: .click)
        try await store.add([visit(11): 3, missing: 1])
        func counts(since day: Int) async throws -> [ShortLinkCount] {
            try await store.read({ (records) throws(ActionError) in try records.shortLinkCounts(of: link.id, since: day) })
        }
        let desktops = ShortLinkCount(platform: .desktop, event: .redirect, count: 5)
        #expect(try await counts(since: 11) == [desktops, ShortLinkCount(platform: .apple, event: .click, count: 4)])
        #expect(try await counts(since: 10) == [desktops, ShortLinkCount(platform: .apple, event: .click, count: 6)])
        #expect(try await counts(since: 12).isEmpty)
        #expect(try await store.purgeShortLinkCounts(before: 11) == 1)
        #expect(try await counts(since: 0) == counts(since: 11))
    }

    /// A visit costs one search of one index.
    @Test func `is looked up by its unique key alone`() async throws {
        let database = try await Engine.sqlite.database()
        _ = try await database.open()
        let plan = try await database.connect().read { db throws(ActionError) in
            do throws(SQLFailure) {
                return "\(try db.rows("EXPLAIN QUERY PLAN \(SQLRecords.shortLinkAtPath)", [.text("https://x"), .text("/a")]))"
            } catch { throw ActionError(error) }
        }
        #expect(plan.contains("SEARCH short_link USING INDEX sqlite_autoindex_short_link_1 (origin=? AND path=?)"), "\(plan)")
    }
}
