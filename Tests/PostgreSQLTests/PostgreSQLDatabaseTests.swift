import Accounts
import Base
import Foundation
import PostgreSQL
import Store
import Synchronization
import Testing
import World

typealias Options = PostgreSQLDatabase.Options

@Suite struct `A PostgreSQL database` {
    private let place: PostgreSQLTestDatabase

    init() throws { place = try PostgreSQLCluster.newDatabase() }

    private func counter(_ change: (inout Options) -> Void = { _ in }) async throws -> Counter {
        var options = Options(url: place.url)
        options.deadlines = .patient
        change(&options)
        let counter = try await Counter(options)
        try place.psql(Counter.tables)
        return counter
    }

    /// G7: every transaction conflicts with all others.
    @Test func `loses no change of a hundred transactions that conflict`() async throws {
        let counter = try await counter()
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<100 { group.addTask { try await counter.add() } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(values == Set(1...100))
        #expect(try await counter.value == 100)
    }

    /// C3: exactly one of any number of simultaneous attempts applies a code.
    @Test func `changes a row for one of many that have the same condition`() async throws {
        let counter = try await counter()
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<40 { group.addTask { try await counter.add(ifIs: 0) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        #expect(try await counter.value == 1)
    }

    /// Twice: the query with the beginning, and the change with the commit.
    @Test func `asks its server twice for a transaction that reads and writes`() async throws {
        let proxy = try Proxy(to: place.port)
        defer { proxy.stop() }
        let counter = try await counter { $0.url = place.url(port: proxy.port) }
        // The first commit of a connection is followed by the purge.
        for _ in 0..<2 { try await counter.add() }
        _ = proxy.roundTrips()
        try await counter.add()
        #expect(proxy.roundTrips() == 2)
        #expect(try await counter.add(ifIs: 3))
        #expect(proxy.roundTrips() == 2)
    }

    /// G4: the answer to a commit is cut after each of its bytes.
    @Test(.patience) func `knows whether a commit happened whose answer was lost`() async throws {
        let proxy = try Proxy(to: place.port)
        defer { proxy.stop() }
        // Without a name, a statement is sent with its SQL each time.
        let counter = try await counter { ($0.url, $0.usesNamedStatements) = (place.url(port: proxy.port), false) }
        for count in stride(from: 0, to: 200, by: 5) {
            proxy.arm(.cutAnswer(after: count), at: "COMMIT")
            try await counter.tally()
            #expect(proxy.hasStruck)
        }
        #expect(try place.psql("SELECT count(*) FROM tally") == "40\n")
    }

    /// G4: what the server has not read yet when the connection is lost must not be done later,
    /// when the transaction has been run again. The first transaction of a connection inserts its
    /// row, and others change it.
    @Test(arguments: [true, false])
    func `does not commit twice what a server reads late`(isFirst: Bool) async throws {
        let proxy = try Proxy(to: place.port)
        defer { proxy.stop() }
        let counter = try await counter { ($0.url, $0.usesNamedStatements) = (place.url(port: proxy.port), false) }
        if !isFirst { try await counter.tally() }
        proxy.arm(.withhold, at: "COMMIT")
        try await counter.tally()
        #expect(proxy.hasStruck)
        proxy.deliver()
        #expect(try place.psql("SELECT count(*) FROM tally") == (isFirst ? "1\n" : "2\n"))
    }

    /// G4: the answer to the question whether a commit happened is lost as well, after the server
    /// has ruled out that it still happens.
    @Test(arguments: [true, false], [0, 1])
    func `is asked again whether a commit happened if the answer is lost`(isFirst: Bool, repetitions: Int) async throws {
        let proxy = try Proxy(to: place.port)
        defer { proxy.stop() }
        let counter = try await counter { ($0.url, $0.usesNamedStatements) = (place.url(port: proxy.port), false) }
        if !isFirst { try await counter.tally() }
        let lostAnswer = (fault: Proxy.Fault.cutAnswer(after: 0), marker: "RETURNING sequence")
        proxy.arm([(.withhold, "COMMIT"), lostAnswer] + Array(repeating: lostAnswer, count: repetitions))
        try await counter.tally()
        #expect(proxy.hasStruck)
        #expect(try place.psql("SELECT count(*) FROM tally") == (isFirst ? "1\n" : "2\n"))
        // The other way round: it was committed.
        proxy.arm([(.cutAnswer(after: 0), "COMMIT"), lostAnswer])
        try await counter.tally()
        #expect(proxy.hasStruck)
        #expect(try place.psql("SELECT count(*) FROM tally") == (isFirst ? "2\n" : "3\n"))
    }

    /// G2: a pooler that hangs answers neither the commit nor the question.
    @Test func `the question whether a commit happened ends with its own deadline`() async throws {
        let proxy = try Proxy(to: place.port)
        defer { proxy.stop() }
        let counter = try await counter {
            ($0.url, $0.usesNamedStatements) = (place.url(port: proxy.port), false)
            ($0.deadlines.response, $0.deadlines.outcome) = (.patience, .seconds(1))
        }
        proxy.arm([(.cutAnswer(after: 0), "COMMIT"), (.silence, "RETURNING sequence")])
        let start = ContinuousClock.now
        let error = await #expect(throws: ActionError.self) { try await counter.tally() }
        guard case .unavailable(let down)? = error else { throw ActionError.refused(.invalidArgument) }
        #expect(down.commitState == .unknown && .now - start < .patience / 2)
    }

    /// X8: a transaction is told that no connection is free before one becomes free.
    @Test func `refuses what has waited too long while a transaction takes its time`() async throws {
        let counter = try await counter { ($0.maxConnections, $0.deadlines.waiting) = (1, .seconds(5)) }
        let mayEnd = DispatchSemaphore(value: 0)
        let isHeld = Mutex(false)
        async let slow: Void = counter.database.write { _ throws(ActionError) in
            isHeld.withLock { $0 = true }
            mayEnd.wait()
        }
        try await eventually("the connection is in use") { isHeld.withLock { $0 } }
        let error = await #expect(throws: ActionError.self) { try await counter.tally() }
        #expect(error.map { "\($0)" }?.contains("no connection was free") == true)
        mayEnd.signal()
        _ = try await slow
        try await counter.tally()
        #expect(try place.psql("SELECT count(*) FROM tally") == "1\n")
    }

    /// The answer to the announcement of a change is read like any other.
    @Test func `announces a change without losing a connection`() async throws {
        let proxy = try Proxy(to: place.port)
        defer { proxy.stop() }
        let counter = try await counter { ($0.url, $0.usesNamedStatements) = (place.url(port: proxy.port), false) }
        proxy.arm(.cutAnswer(after: 0), at: "RETURNING sequence")
        let announcement = try #require(counter.database.dialect.announcement)
        for _ in 0..<3 {
            try await counter.database.write { db throws(ActionError) in
                do throws(SQLFailure) { try db.submit(announcement, []) } catch { throw ActionError(error) }
            }
        }
        #expect(!proxy.hasStruck)
    }

    /// G5: a lost connection may mean that another server is the primary now, so the others are not
    /// used again, those in use at that moment neither.
    @Test func `uses no connection again that was open when another was lost`() async throws {
        let counter = try await counter()
        let mayEnd = DispatchSemaphore(value: 0)
        let holder = Mutex<Int?>(nil)
        let lost = Mutex<Int?>(nil)
        @Sendable func backend(_ use: @escaping @Sendable (Int) throws(ActionError) -> Void = { _ in }) async throws -> Int {
            try await counter.database.write { db throws(ActionError) in
                do throws(SQLFailure) {
                    guard var row = try db.rows("SELECT pg_backend_pid()", []).first else { return 0 }
                    let found: Int = try row.next()
                    do throws(ActionError) { try use(found) } catch { throw .failed(cause: "\(error)") }
                    _ = try db.rows("SELECT 1", [])
                    return found
                } catch { throw ActionError(error) }
            }
        }
        async let held = backend { pid in
            holder.withLock { $0 = pid }
            mayEnd.wait()
        }
        try await eventually("one connection is in use") { holder.withLock { $0 } != nil }
        _ = try await backend { [place] pid in
            // The transaction runs again on another connection.
            guard lost.withLock({ $0 }) == nil else { return }
            lost.withLock { $0 = pid }
            _ = try? place.psql("SELECT pg_terminate_backend(\(pid))")
        }
        mayEnd.signal()
        let before = try await [held, #require(lost.withLock { $0 })]
        for _ in 0..<3 { #expect(!before.contains(try await backend())) }
    }

    /// G8: what is sent into a cut network is sent again.
    @Test func `does not wait for ever for an answer`() async throws {
        let proxy = try Proxy(to: place.port)
        defer { proxy.stop() }
        let counter = try await counter {
            ($0.url, $0.usesNamedStatements) = (place.url(port: proxy.port), false)
            ($0.deadlines.response, $0.deadlines.outage) = (.milliseconds(300), .patience)
        }
        for marker in ["SELECT value", "COMMIT"] {
            proxy.arm(.silence, at: marker)
            try await counter.add()
            #expect(proxy.hasStruck)
        }
        #expect(try await counter.value == 2)
    }

    /// G6: the pool is bounded, its waits have deadlines, and dead connections are replaced.
    @Test(.patience) func `gives no wrong answer while its connections are ended`() async throws {
        let counter = try await counter()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var added = 0
                    for _ in 0..<100 { if (try? await counter.add()) != nil { added += 1 } }
                    return added
                }
            }
            for _ in 0..<30 {
                try place.psql(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                    """)
            }
            return try await group.reduce(0, +)
        }
        #expect(try await counter.value == sum)
        #expect(sum > 300)
    }

    /// G2: while the database is down, requests are 503 within two seconds, and recover with it.
    @Test func `says soon that its server is down, and works when that is back`() async throws {
        let cluster = try PostgreSQLCluster()
        let counter = try await Counter(Options(url: try cluster.newDatabase().url))
        try cluster.crash()
        let start = ContinuousClock.now
        await #expect(throws: ActionError.self) { try await counter.value }
        await #expect(throws: ActionError.self) { try await counter.database.write { _ throws(ActionError) in } }
        // Two calls; each gives up after a second and a half.
        #expect(.now - start < .patience)
        try cluster.start()
        let store = Store.withoutMigrating(counter.database)
        try await eventually("the server") { try await store.ping() }
        cluster.remove()
    }

    /// G8: a lock that another program holds.
    @Test func `does not wait for ever for a lock`() async throws {
        let counter = try await counter { $0.deadlines.lock = .milliseconds(300) }
        let holder = try Program(
            "/usr/bin/env", ["psql", "-X", place.url, "-c", "BEGIN; UPDATE counter SET value = 7; SELECT 'held'; SELECT pg_sleep(3600)"])
        defer { holder.signal(SIGKILL) }
        try await eventually("the lock") {
            try place.psql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()")
                .hasPrefix("1") ? true : nil
        }
        let start = ContinuousClock.now
        await #expect(throws: ActionError.self) { try await counter.add() }
        #expect(.now - start < .patience)
        #expect(try await counter.value == 0)
    }

    /// G9: a role with the least privileges suffices, and no input changes a statement.
    @Test func `works for a role that owns one database and nothing else`() async throws {
        let role = "role_\(place.name)"
        try place.psql("CREATE ROLE \(role) LOGIN")
        try place.psql("GRANT CREATE ON SCHEMA public TO \(role)")
        let database = try await PostgreSQLDatabase(Options(url: place.url(port: place.port, user: role)))
        try await Store.open(database).ping()
    }

    @Test func `is not opened if libpq cannot read its URL, or nothing answers, and never tells a password`() async throws {
        for url in ["postgresql://a:geheim@127.0.0.1:1/x", "postgresql://a:geheim@127.0.0.1/x?nonsense=1", "postgres://a:geheim@[/x"] {
            let error = await #expect(throws: ActionError.self) { _ = try await PostgreSQLDatabase(Options(url: url)) }
            guard case .unavailable(let down)? = error else { throw error ?? ActionError.refused(.invalidArgument) }
            #expect(!down.cause.contains("geheim") && down.cause.contains("database"), "\(down.cause)")
        }
    }

    @Test func `is known by its hosts and name, without its password`() async throws {
        let database = try await PostgreSQLDatabase(
            Options(url: "postgresql://postgres:geheim@127.0.0.1:\(place.port)/\(place.name)?application_name=x"))
        #expect(database.name == "postgresql://127.0.0.1:\(place.port)/\(place.name)")
    }
}
