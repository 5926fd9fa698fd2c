import Accounts
import PostgreSQL
import Store
import Testing
import World

/// A primary and a synchronous stand-by, which is promoted when the primary has crashed.
@Suite struct `A fail-over` {
    private enum End: Equatable { case done, notDone, unknown }

    /// G3: a fail-over loses no acknowledged effect and applies no code twice. G5: nothing is
    /// written to a standby or a former primary.
    @Test(.patience) func `loses nothing that was acknowledged, and does nothing twice`() async throws {
        let primary = try PostgreSQLCluster()
        let standby = try PostgreSQLCluster(following: primary)
        defer { for cluster in [primary, standby] { cluster.remove() } }
        let place = try primary.newDatabase()
        try place.psql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try place.psql("SELECT pg_reload_conf()")
        try await eventually("the synchronous stand-by") {
            try place.psql("SELECT sync_state FROM pg_stat_replication") == "sync\n" ? true : nil
        }
        // A server without the database is not passed over for the next one of the URL.
        try await eventually("the database on the stand-by") {
            try PostgreSQLTestDatabase.psql("SELECT 1", at: place.url(port: standby.port)) == "1\n"
        }
        // The stand-by comes first, so a connection that did not look would write to it.
        var options = Options(
            url: "postgresql://postgres@127.0.0.1:\(standby.port),127.0.0.1:\(primary.port)/\(place.name)")
        options.deadlines = .patient
        options.deadlines.outcome = .patience
        let counter = try await Counter(options)
        try place.psql(Counter.tables)
        try await counter.tally(-1)
        let ends = try await withThrowingTaskGroup(of: [(mark: Int64, end: End)].self) { group in
            for number in 0..<8 {
                group.addTask {
                    var ends: [(mark: Int64, end: End)] = []
                    for count in 0..<100 {
                        let mark = Int64(number * 100 + count)
                        do throws(ActionError) {
                            try await counter.tally(mark)
                            ends.append((mark, .done))
                        } catch {
                            guard case .unavailable(let down) = error else { throw error }
                            ends.append((mark, down.commitState == .notCommitted ? .notDone : .unknown))
                        }
                    }
                    return ends
                }
            }
            try await eventually("work") { try place.psql("SELECT count(*) > 50 FROM tally") == "t\n" ? true : nil }
            try primary.crash()
            try PostgreSQLTestDatabase.psql("SELECT pg_promote()", at: place.url(port: standby.port))
            // Nothing follows it now.
            try PostgreSQLTestDatabase.psql("ALTER SYSTEM RESET synchronous_standby_names", at: place.url(port: standby.port))
            try PostgreSQLTestDatabase.psql("SELECT pg_reload_conf()", at: place.url(port: standby.port))
            return try await group.reduce(into: []) { $0 += $1 }
        }
        let found = try PostgreSQLTestDatabase.psql("SELECT mark FROM tally WHERE mark >= 0", at: place.url(port: standby.port))
            .split(separator: "\n").compactMap { Int64($0) }
        let marks = Set(found)
        #expect(marks.count == found.count)
        #expect(ends.allSatisfy { $0.end != .done || marks.contains($0.mark) })
        #expect(ends.allSatisfy { $0.end != .notDone || !marks.contains($0.mark) })
        #expect(ends.count == 800 && ends.count { $0.end == .done } > 700)
    }

    /// G5: nothing is written to a standby or a former primary.
    @Test func `is not a reason to write to a stand-by`() async throws {
        let primary = try PostgreSQLCluster()
        let place = try primary.newDatabase()
        let standby = try PostgreSQLCluster(following: primary)
        defer { for cluster in [primary, standby] { cluster.remove() } }
        let error = await #expect(throws: ActionError.self) {
            _ = try await PostgreSQLDatabase(Options(url: place.url(port: standby.port)))
        }
        guard case .unavailable(let down)? = error else { throw ActionError.refused(.invalidArgument) }
        #expect(down.cause.contains("read-only"), "\(down.cause)")
    }
}
