import Accounts
import Base
import Dispatch
import Foundation
import Network
import PostgreSQL
import Store
import Testing
import World

@Suite struct `A read from PostgreSQL` {
    private let place: PostgreSQLTestDatabase

    init() throws { place = try PostgreSQLCluster.newDatabase() }

    private func database(_ change: (inout Options) -> Void = { _ in }) async throws -> PostgreSQLDatabase {
        var options = Options(url: place.url)
        change(&options)
        return try await PostgreSQLDatabase(options)
    }

    private func patientDatabase(at url: String? = nil) async throws -> PostgreSQLDatabase {
        try await database {
            $0.url = url ?? place.url
            ($0.deadlines.waiting, $0.deadlines.response, $0.deadlines.outage) = (.patience, .patience, .patience)
        }
    }

    /// Each read gets its own answer, even if another one on its connection was refused before.
    @Test(.patience)
    func `is answered by itself among many, of which some are refused and some ask twice`() async throws {
        let database = try await patientDatabase()
        let answers = await withTaskGroup(of: (Int, Int?).self) { group in
            for number in 0..<500 {
                group.addTask {
                    switch number % 10 {
                    case 3: (number, try? await database.number("SELECT 1 / (CAST(? AS BIGINT) - CAST(? AS BIGINT))", number, number))
                    case 5: (number, try? await database.number("SELECT CAST(? AS BIGINT)", number, asking: 2))
                    default: (number, try? await database.number("SELECT CAST(? AS BIGINT)", number))
                    }
                }
            }
            return await group.reduce(into: [Int: Int?]()) { $0[$1.0] = $1.1 }
        }
        for number in 0..<500 { #expect(answers[number] == .some(number % 10 == 3 ? nil : number), "\(number)") }
    }

    @Test(arguments: 1...3) func `asks the server once for each query`(count: Int) async throws {
        let proxy = try Proxy(to: place.port)
        defer { proxy.stop() }
        let database = try await patientDatabase(at: place.url(port: proxy.port))
        _ = proxy.roundTrips()
        #expect(try await database.number("SELECT CAST(? AS BIGINT)", 7, asking: count) == 7)
        var roundTrips = 0
        // The end of the transaction is not waited for, but is answered, too.
        try await eventually("the end of the transaction") {
            roundTrips += proxy.roundTrips()
            return roundTrips >= count + 1
        }
        #expect(roundTrips == count + 1)
    }

    /// Commits may hang for as long as a synchronous stand-by is away; pages are shown.
    @Test(.patience) func `a read does not wait for transactions that use all of their connections`() async throws {
        let database = try await database {
            $0.maxConnections = 1
            ($0.deadlines.response, $0.deadlines.idleTransaction) = (.patience, .patience)
        }
        let (isHeld, mayEnd) = (Latch(), DispatchSemaphore(value: 0))
        async let held: Void = database.write { _ throws(ActionError) in
            isHeld.open()
            mayEnd.wait()
        }
        defer { mayEnd.signal() }
        try await isHeld.opens()
        #expect(try await database.number("SELECT CAST(? AS BIGINT)", 7) == 7)
        mayEnd.signal()
        try await held
    }

    /// N8: the time of the server is known although the answer was late.
    @Test(.patience) func `tells the time of the server`() async throws {
        let proxy = try Proxy(to: place.port)
        defer { proxy.stop() }
        let database = try await database { ($0.url, $0.usesNamedStatements) = (place.url(port: proxy.port), false) }
        let clock = try #require(try await DatabaseClock(of: try await Store.open(database)))
        proxy.arm(.delayAnswer(.seconds(2)), at: "clock_timestamp")
        try await clock.refresh()
        #expect(proxy.hasStruck)
        #expect(abs((clock.now() - Timestamp(Date())).milliseconds) < 1_000)
    }

    @Test(.patience) func `is answered although its connection is ended with others in flight`() async throws {
        let database = try await patientDatabase()
        async let answers = numbers(0..<1000, from: database)
        for _ in 0..<20 {
            try place.psql(
                """
                SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                WHERE datname = current_database() AND pid <> pg_backend_pid()
                """)
        }
        #expect(try await answers == Array(0..<1000))
    }

    /// The answers to a query for each number, all asked at once.
    private func numbers(_ range: Range<Int>, from database: PostgreSQLDatabase) async throws -> [Int] {
        try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in range { group.addTask { (number, try await database.number("SELECT CAST(? AS BIGINT)", number)) } }
            let answers = try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
            return range.map { answers[$0] ?? -1 }
        }
    }

    @Test(.patience) func `waits for no other one that takes long`() async throws {
        // Longer than the lock is held, so that a read that waits for the slow one finds no lock.
        let database = try await database {
            ($0.deadlines.lock, $0.deadlines.statement, $0.deadlines.response) = (.patience, .patience, .patience)
        }
        let holder = try Program("/usr/bin/env", ["psql", "-X", place.url, "-c", "SELECT pg_advisory_lock(7); SELECT pg_sleep(3600)"])
        defer { holder.signal(9) }
        try await eventually("the lock") { try hasActivity("wait_event = 'PgSleep'") }
        async let slow = database.number("SELECT 1 FROM pg_advisory_lock_shared(CAST(? AS BIGINT))", 7)
        try await eventually("the slow read") { try hasActivity("wait_event_type = 'Lock'") }
        for _ in 0..<3 { #expect(try await numbers(0..<100, from: database) == Array(0..<100)) }
        #expect(try hasActivity("wait_event_type = 'Lock'"))
        try place.psql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()")
        #expect(try await slow == 1)
    }

    private func hasActivity(_ condition: String) throws -> Bool {
        try place.psql("SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND \(condition)") == "t\n"
    }
}

extension PostgreSQLDatabase {
    /// The number that a query answers.
    fileprivate func number(_ sql: String, _ arguments: Int..., asking count: Int = 1) async throws(ActionError) -> Int {
        try await read { db throws(ActionError) in
            do throws(SQLFailure) {
                var found = -1
                for _ in 0..<count {
                    guard var row = try db.rows(sql, arguments.map { .integer(Int64($0)) }).first else { return -1 }
                    found = try row.next()
                }
                return found
            } catch { throw ActionError(error) }
        }
    }
}
