import Accounts
import Base
import Foundation
import PostgreSQL
import Store
import Testing
import World

/// N12, with a real stand-by. One test at a time, because a stand-by stops replaying for all
/// databases at once.
@Suite(.serialized) struct `A preview` {
    private static let servers = Result {
        let primary = try PostgreSQLCluster()
        return (primary: primary, standby: try PostgreSQLCluster(following: primary))
    }

    private let place: PostgreSQLTestDatabase
    private let standby: PostgreSQLCluster

    init() throws {
        let servers = try Self.servers.get()
        (place, standby) = (try servers.primary.newDatabase(), servers.standby)
    }

    private var replicaURL: String { place.url(port: standby.port) }

    /// A counter whose previews the replica answers.
    private func counter(maxStaleness: Duration, through port: UInt16? = nil, isFirst: Bool = true) async throws -> Counter {
        var options = Options(url: place.url)
        options.deadlines = .patient
        options.replica = .init(url: place.url(port: port ?? standby.port), maxStaleness: maxStaleness)
        let counter = try await Counter(options)
        if isFirst { try place.psql(Counter.tables) }
        try await isAnswering(counter)
        return counter
    }

    private func isAnswering(_ counter: Counter) async throws {
        let before = counter.database.replicaAnswerCount
        try await eventually("an answer of the replica") {
            _ = try await counter.preview()
            return counter.database.replicaAnswerCount > before ? true : nil
        }
    }

    /// Lets the replica stay where it is.
    private func pause() async throws {
        try onReplica("SELECT pg_wal_replay_pause()")
        try await eventually("the pause") {
            try onReplica("SELECT pg_get_wal_replay_pause_state()").hasPrefix("paused") ? true : nil
        }
    }

    @discardableResult private func onReplica(_ sql: String) throws -> String {
        try PostgreSQLTestDatabase.psql(sql, at: replicaURL)
    }

    /// A read that is two queries.
    private func readTwice(_ counter: Counter) async throws -> [Int]? {
        try await counter.database.preview { db throws(ActionError) in
            do throws(SQLFailure) {
                var values: [Int] = []
                for _ in 0..<2 {
                    for var row in try db.rows("SELECT value FROM counter WHERE id = 1", []) { values.append(try row.next()) }
                }
                return values
            } catch { throw ActionError(error) }
        }
    }

    @Test func `is answered by a replica that is recent enough, and else by the primary`() async throws {
        let patient = try await counter(maxStaleness: .seconds(3600))
        let strict = try await counter(maxStaleness: .milliseconds(400), isFirst: false)
        try await pause()
        defer { _ = try? onReplica("SELECT pg_wal_replay_resume()") }
        try await patient.add()
        #expect(try await patient.preview() == 0)
        #expect(try await patient.value == 1)
        try await eventually("the primary's answer") { try await strict.preview() == 1 ? true : nil }
        let answers = strict.database.replicaAnswerCount
        #expect(try await strict.preview() == 1)
        #expect(try await readTwice(strict) == [1, 1])
        #expect(strict.database.replicaAnswerCount == answers)
        try onReplica("SELECT pg_wal_replay_resume()")
        try await eventually("the replica") { try await patient.preview() == 1 ? true : nil }
        try await isAnswering(strict)
    }

    @Test func `finds what a replica does not have yet`() async throws {
        let counter = try await counter(maxStaleness: .seconds(3600))
        try await pause()
        defer { _ = try? onReplica("SELECT pg_wal_replay_resume()") }
        try place.psql("INSERT INTO counter VALUES (2, 5)")
        #expect(try await counter.preview(2) == 5)
        #expect(try await counter.preview(3) == nil)
    }

    @Test func `of two queries sees one snapshot of the replica`() async throws {
        let counter = try await counter(maxStaleness: .seconds(3600))
        try await pause()
        defer { _ = try? onReplica("SELECT pg_wal_replay_resume()") }
        try await counter.add()
        let before = counter.database.replicaAnswerCount
        #expect(try await readTwice(counter) == [0, 0])
        #expect(counter.database.replicaAnswerCount == before + 1)
    }

    /// The replica's answer is cut, or never comes.
    @Test(arguments: [Proxy.Fault.cutAnswer(after: 10), .silence])
    func `does not depend on the replica`(fault: Proxy.Fault) async throws {
        let proxy = try Proxy(to: standby.port)
        defer { proxy.stop() }
        let counter = try await counter(maxStaleness: .seconds(3600), through: proxy.port)
        try await pause()
        defer { _ = try? onReplica("SELECT pg_wal_replay_resume()") }
        try await counter.add()
        #expect(try await counter.preview() == 0)
        proxy.arm(fault, at: "B")
        #expect(try await counter.preview() == 1)
        #expect(proxy.hasStruck)
    }

    @Test func `is answered again by a replica that was down`() async throws {
        let counter = try await counter(maxStaleness: .seconds(2))
        try standby.crash()
        for _ in 0..<3 { #expect(try await counter.preview() == 0) }
        try standby.start()
        try await isAnswering(counter)
    }
}
