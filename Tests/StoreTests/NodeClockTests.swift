import Accounts
import Base
import Foundation
import Network
import Synchronization
import Testing
import World
@testable import Store

@Suite(.temporaryFolder) struct `The time of nodes` {
    /// The time of a node whose wall clock is wrong.
    private static func time(of store: Store, wall: @escaping Now) async throws -> Now {
        let server = try await DatabaseClock(of: store)
        return HighWaterClock(after: try await store.clockMark(), wall: server?.now ?? wall).now
    }

    /// N8: on PostgreSQL what is stored has the time of the database's server.
    @Test(.enabled(if: OtherServers.mayRun, "\(OtherServers.absence)"))
    func `is that of the server on PostgreSQL, whatever their clocks show`() async throws {
        let database = try await Engine.postgreSQL.database()
        let (one, other) = (try await database.open(), try await database.open())
        let actual = Timestamp(Date())
        // One clock is seven minutes behind, the other far ahead.
        let times = [
            try await Self.time(of: one, wall: { actual + .seconds(-420) }),
            try await Self.time(of: other, wall: { actual + .seconds(86_400) }),
        ]
        let shown = times.map { $0() }
        #expect(abs((shown[0] - shown[1]).milliseconds) < 1_000)
        #expect(abs((shown[0] - actual).milliseconds) < 10_000)
        // A code of one is live for the other, and newer ones follow older ones.
        for number in 0..<6 {
            let now = times[number % 2]()
            try await (number % 2 == 0 ? one : other).transaction({ records throws(ActionError) in
                try records.insert(.sample(.number(number), .signIn, of: nil, madeAt: now, lasting: .seconds(60)))
            })
            try await Task.sleep(for: .milliseconds(20))
        }
        let seen = try await one.read({ records throws(ActionError) in try records.codeAndNewer(.number(0), at: times[0]()) })
        let last = try #require(try await other.codes(5).first ?? nil)
        #expect(seen?.code.state(at: times[1]()) == .live && seen?.newer == last.createdAt)
        let created = try await other.codes(0, 1, 2, 3, 4, 5).compactMap { $0?.createdAt }
        #expect(created == created.sorted())
    }

    @Test func `is that of the machine on SQLite`() async throws {
        let store = try await Engine.sqlite.store()
        #expect(try await DatabaseClock(of: store) == nil)
    }

    /// The monotonic clock of the node goes on while the server is not asked.
    @Test(.enabled(if: OtherServers.mayRun, "\(OtherServers.absence)"))
    func `goes on between two questions, and follows the server when it is asked`() async throws {
        let database = try await Engine.postgreSQL.database()
        let uptime = Mutex(Uptime(.seconds(1000)))
        let clock = try #require(try await DatabaseClock(of: try await database.open()) { uptime.withLock(\.self) })
        let start = clock.now()
        uptime.withLock { $0 += .seconds(600) }
        #expect(clock.now() - start == .seconds(600))
        // The server has not gone on as far: the difference cannot be an error of the measurement.
        try await clock.refresh()
        #expect(clock.now() - start < .seconds(60))
    }
}
