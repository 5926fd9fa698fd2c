import Accounts
import Base
import Foundation
import Network
import Synchronization
import Testing
import World
@testable import Store

/// Several processes with one database. Each store has its own connections.
@Suite(.temporaryFolder) struct `Nodes that share a database` {
    private static func nodes(_ engine: Engine, _ count: Int = 3) async throws -> [Store] {
        let database = try await engine.database()
        var nodes: [Store] = []
        for _ in 0..<count { nodes.append(try await database.open()) }
        return nodes
    }

    /// Runs work of every node at once.
    private static func each<T: Sendable>(
        _ nodes: [Store], times: Int = 1, _ work: @escaping @Sendable (Store) async throws -> T
    ) async throws -> [T] {
        try await withThrowingTaskGroup(of: [T].self) { group in
            for node in nodes {
                group.addTask {
                    var results: [T] = []
                    for _ in 0..<times { results.append(try await work(node)) }
                    return results
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// N1: of several nodes one sends each mail.
    @Test(arguments: Engine.allCases) func `send each mail once, while more are written`(on engine: Engine) async throws {
        let nodes = try await Self.nodes(engine)
        let (first, later) = (2_700, 300)
        for start in stride(from: 0, to: first, by: 300) {
            try await nodes[0].transaction({ records throws(ActionError) in
                for number in start..<start + 300 {
                    let mail = StoredMail.sample(
                        MailID(rawValue: Int64(number)), in: number % 3 == 0 ? .blog : .shop, source: Int64(number % 7))
                    try records.insert(mail)
                }
            })
        }
        let hasWritten = AtomicCounter()
        let writing = Task {
            defer { hasWritten.add() }
            for number in first..<first + later { try await nodes[0].queue(.sample(MailID(rawValue: Int64(number)), source: 9)) }
        }
        let report = DeliveryOutcome(.accepted, answer: "250 OK")
        let leased = try await Self.each(nodes) { node in
            var ids: [MailID] = []
            while true {
                let areAllWritten = hasWritten.value > 0
                let mails = try await node.lease(MailLease(limit: 40, until: .noon + .seconds(50)), at: .noon)
                for mail in mails { try await node.end(mail, as: .sent, report, keepsLetter: false, at: .noon) }
                ids += mails.map(\.id)
                if areAllWritten, mails.isEmpty { return ids }
                // Nodes that ask without a pause keep the writer from SQLite's lock.
                if mails.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            }
        }
        try await writing.value
        let all = leased.flatMap(\.self)
        #expect(all.count == first + later && Set(all).count == first + later)
        #expect(leased.count { !$0.isEmpty } > 1, "more than one node took part")
        #expect(try await nodes[0].backlog(countingTo: 9).mails == 0)
    }

    @Test(arguments: Engine.allCases) func `give back what they do not send`(on engine: Engine) async throws {
        let nodes = try await Self.nodes(engine)
        try await nodes[0].queue(.sample(1), .sample(2))
        let lease = MailLease(limit: 9, until: .noon + .seconds(50))
        let leased = try await nodes[0].lease(lease, at: .noon)
        try await nodes[0].release(leased)
        let again = try await nodes[1].lease(lease, at: .noon)
        #expect(again == leased, "with the same number of attempts")
        try await nodes[1].end(again[0], as: .sent, DeliveryOutcome(.accepted, answer: "250"), keepsLetter: false, at: .noon)
        try await nodes[0].release(again)
        #expect(try await nodes[0].lease(lease, at: .noon).map(\.id) == [again[1].id])
    }

    private static let endpoint = "https://app.example/events"

    private static func change(_ account: AccountID, times: Int, on store: Store) async throws {
        for _ in 0..<times {
            try await store.transaction({ records throws(ActionError) in
                guard var changed = try records.account(account, in: .shop) else { throw .refused(.userNotFound) }
                changed.disabled.toggle()
                try records.update(changed)
            })
        }
    }

    /// N2: one node tells each event of an account, after earlier ones of the account.
    @Test(arguments: Engine.allCases) func `tell each event of an account once, in order`(on engine: Engine) async throws {
        let nodes = try await Self.nodes(engine)
        try await nodes[0].prepare()
        nodes[0].tell([EventEndpoint(url: Self.endpoint)], now: { .noon }, random: System.random)
        for _ in 0..<15 { for account in [AccountID.ada, .bob] { try await Self.change(account, times: 1, on: nodes[0]) } }
        let told = Mutex<[EventDelivery]>([])
        _ = try await Self.each(nodes) { node in
            while told.withLock(\.count) < 30 {
                try Task.checkCancellation()
                for delivery in try await node.leaseEvents(for: Self.endpoint, limit: 2, until: .noon + .seconds(60), at: .noon) {
                    told.withLock { $0.append(delivery) }
                    try await node.delete(delivery, at: .noon)
                }
            }
        }
        let all = told.withLock(\.self)
        #expect(all.count == 30 && Set(all.map(\.event.id)).count == 30)
        for account in [AccountID.ada, .bob] {
            let kinds = all.filter { $0.event.account == account }.map(\.event.kind)
            #expect(kinds == (0..<15).map { $0 % 2 == 0 ? .disabled : .enabled })
        }
    }

    /// An answer that comes after the lease has ended does not count a failure of the next lease.
    @Test(arguments: Engine.allCases) func `postpone an event for one attempt once`(on engine: Engine) async throws {
        let nodes = try await Self.nodes(engine)
        try await nodes[0].prepare()
        nodes[0].tell([EventEndpoint(url: Self.endpoint)], now: { .noon }, random: System.random)
        try await Self.change(.ada, times: 1, on: nodes[0])
        func lease(_ node: Store, until end: Timestamp, at now: Timestamp) async throws -> EventDelivery? {
            try await node.leaseEvents(for: Self.endpoint, limit: 9, until: end, at: now).first
        }
        let (soon, later) = (Timestamp.noon + .seconds(60), Timestamp.noon + .seconds(61))
        let first = try #require(try await lease(nodes[0], until: soon, at: .noon))
        #expect(try await lease(nodes[1], until: soon, at: .noon) == nil)
        let second = try #require(try await lease(nodes[1], until: soon + .seconds(60), at: soon))
        try await nodes[1].postpone(second, until: soon, because: "second")
        try await nodes[0].postpone(first, until: soon + .seconds(600), because: "first")
        let third = try #require(try await lease(nodes[0], until: later, at: soon))
        #expect(third.attempts == 1 && third.cause == "second")
    }

    /// N3: the counts of short links are the sum of what all nodes counted.
    @Test(arguments: Engine.allCases) func `count the visits of all`(on engine: Engine) async throws {
        let nodes = try await Self.nodes(engine)
        let link = try #require(
            try await nodes[0].transaction({ records throws(ActionError) in
                try records.insert(
                    ShortLinkDraft(
                        project: .shop, origin: "https://links.example", link: "https://app.example/", name: nil, createdAt: .noon,
                        disabledAt: nil),
                    at: "/abc", clientNumber: nil)
            }))
        let counts = Dictionary(
            uniqueKeysWithValues: (0..<20).map { (ShortLinkVisit(link: link.id, day: $0, platform: .desktop, event: .click), 2) })
        _ = try await Self.each(nodes, times: 20) { try await $0.add(counts) }
        let counted = try await nodes[0].read({ records throws(ActionError) in try records.shortLinkCounts(of: link.id, since: 0) }
        )
        #expect(counted.map(\.count) == [20 * 2 * 20 * 3])
    }

    /// N4: nodes that delete old rows at once delete different ones, and none fails.
    @Test(arguments: Engine.allCases) func `delete what is old together`(on engine: Engine) async throws {
        let nodes = try await Self.nodes(engine)
        let old = (0..<400).map { StoredCode.sample(.number($0), .signIn, of: nil, lasting: .seconds(1)) }
        try await nodes[0].transaction({ records throws(ActionError) in for code in old { try records.insert(code) } })
        let deleted = try await Self.each(nodes) { node in
            var sum = 0
            while true {
                let count = try await node.purgeCodes(expiredBefore: .noon + .seconds(60), limit: 50)
                sum += count
                if count < 50 { return sum }
            }
        }
        #expect(deleted.reduce(0, +) == 400)
        #expect(try await nodes[0].codes(0, 399) == [nil, nil])
    }

    @Test(arguments: Engine.allCases) func `drop no more mails than are too many`(on engine: Engine) async throws {
        let nodes = try await Self.nodes(engine)
        try await nodes[0].transaction({ records throws(ActionError) in
            for number in Int64(0)..<90 { try records.insert(StoredMail.sample(MailID(rawValue: number), source: number % 3)) }
        })
        let dropped = try await Self.each(nodes, times: 3) { try await $0.dropMails(beyond: 100, at: .noon) }
        #expect(dropped.reduce(0, +) == 40)
    }

    @Test(arguments: Engine.allCases) func `can all be asked at once whether they are ready, and store the clock`(on engine: Engine)
        async throws
    {
        let nodes = try await Self.nodes(engine)
        _ = try await Self.each(nodes, times: 30) { node in
            try await node.ping()
            try await node.advanceClock(to: ClockMark(time: .noon + .milliseconds(.random(in: 0...1000)), acceptances: 0))
        }
        #expect(try await nodes[0].clockMark() != nil)
    }

    /// N5: no two ranges of one number overlap, however fast they are taken.
    @Test(arguments: Engine.allCases) func `give no two rows one id`(on engine: Engine) async throws {
        let nodes = try await Self.nodes(engine)
        let ids = try await Self.each(nodes) { node in
            var ids: [Int64] = []
            for _ in 0..<20 {
                try await node.reserveRowIDs()
                ids += (0..<1000).map { _ in node.rowIDs.next() }
            }
            return ids
        }.flatMap(\.self)
        #expect(Set(ids).count == 60_000 && ids.allSatisfy { $0 >> 13 & 255 < 255 })

        var ranges: [RowIDs.Range] = []
        for _ in 0..<600 { ranges.append(try await nodes[0].reserveRowIDs()) }
        let span = RowIDs.Range.span.milliseconds
        for (number, ranges) in Dictionary(grouping: ranges, by: \.number) {
            let starts = ranges.map(\.start).sorted()
            #expect(ranges.count > 1 && zip(starts, starts.dropFirst()).allSatisfy { $0 + span <= $1 }, "\(number)")
        }
    }

    /// N7: signing keys are rotated once for all nodes.
    @Test(arguments: Engine.allCases) func `rotate the signing keys once`(on engine: Engine) async throws {
        let (nodes, clock) = (try await Self.nodes(engine), TestClock())
        let secrets = Secrets(root: [UInt8](repeating: 7, count: 32))
        let keys = nodes.map {
            SigningKeys(
                store: $0, secrets: secrets, workerPool: WorkerPool(label: "test.keys", width: 1, maxWaiting: 9), now: clock.now,
                random: { count in (0..<count).map { _ in .random(in: 0...255) } })
        }
        for expected in 1...2 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for keys in keys { group.addTask { try await keys.maintain() } }
                try await group.waitForAll()
            }
            let stored = try await nodes[0].signingKeys()
            #expect(stored.count == expected)
            // Until the next key is due.
            clock.advance(by: .seconds(29 * 86_400 + 60))
        }
    }
}
