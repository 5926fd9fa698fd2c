import Accounts
import Dispatch
import Network
import PostgreSQL
import Store
import Testing
import World

/// Transactions that wait for the only connection, so that each begins with the commit of the one
/// before it.
@Suite struct `A transaction that waits` {
    private let place: PostgreSQLTestDatabase
    private let proxy: Proxy

    init() throws {
        place = try PostgreSQLCluster.newDatabase()
        proxy = try Proxy(to: place.port)
    }

    /// - Parameter usesNames: without names, a statement is sent with its SQL each time, so that
    ///   the proxy sees it.
    private func counter(usesNames: Bool = false, waiting: Duration = .patience) async throws -> Counter {
        var options = Options(url: place.url(port: proxy.port))
        (options.maxConnections, options.usesNamedStatements) = (1, usesNames)
        // The one that is held is idle until all others wait.
        options.deadlines = .patient
        options.deadlines.waiting = waiting
        let counter = try await Counter(options)
        try place.psql(Counter.tables)
        try await counter.tally(-1)
        return counter
    }

    /// Runs transactions that all wait until the connection is free.
    /// - Parameter delay: the time for which it is not free yet when they wait.
    private func run<T: Sendable>(
        _ count: Int, on counter: Counter, delay: Duration = .zero, _ transaction: @escaping @Sendable (Int) async throws(ActionError) -> T
    ) async throws -> [Result<T, ActionError>] {
        let (isHeld, released) = (Latch(), DispatchSemaphore(value: 0))
        async let holder: Void = counter.tally(-2, after: "SELECT 1") {
            // A fault makes it run again.
            guard !isHeld.isOpen else { return }
            isHeld.open()
            released.wait()
        }
        defer { released.signal() }
        try await isHeld.opens()
        var running: [Task<Result<T, ActionError>, Never>] = []
        for number in 0..<count {
            running.append(
                Task {
                    do throws(ActionError) { return .success(try await transaction(number)) } catch { return .failure(error) }
                })
            try await eventually("transaction \(number)") { counter.database.waitingCount == number + 1 }
        }
        try await Task.sleep(for: delay)
        released.signal()
        try await holder
        var results: [Result<T, ActionError>] = []
        for task in running { results.append(await task.value) }
        return results
    }

    /// How often each of the transactions was committed.
    private func tallies(of count: Int) throws -> [Int] {
        let marks = try place.psql("SELECT mark FROM tally").split(separator: "\n").compactMap { Int($0) }
        return (0..<count).map { number in marks.count { $0 == number } }
    }

    @Test(arguments: [false, true]) func `costs one round trip`(usesNames: Bool) async throws {
        let counter = try await counter(usesNames: usesNames)
        _ = proxy.roundTrips()
        for result in try await run(20, on: counter, { number throws(ActionError) in try await counter.tally(number, after: "SELECT 1") }) {
            try result.get()
        }
        // With the one that was held they are two chains, since a chain has 16 at most, and each
        // chain costs one more. Alone, each transaction would cost two.
        #expect(proxy.roundTrips() == 21 + 2)
        #expect(try tallies(of: 20) == Array(repeating: 1, count: 20))
    }

    @Test(arguments: [false, true]) func `sees what the one before it wrote`(usesNames: Bool) async throws {
        let counter = try await counter(usesNames: usesNames)
        let results = try await run(20, on: counter) { _ throws(ActionError) in try await counter.add() }
        #expect(try results.map { try $0.get() } == Array(1...20))
    }

    /// G4: the answer to a commit and the next beginning is cut after each of its bytes.
    @Test(.patience) func `is committed once if the connection is lost with the commit before it`() async throws {
        let counter = try await counter()
        for cut in stride(from: 0, to: 420, by: 10) {
            try place.psql("TRUNCATE tally")
            let results = try await run(3, on: counter) { number throws(ActionError) in
                if number == 0 { proxy.arm(.cutAnswer(after: cut), at: "COMMIT") }
                try await counter.tally(number, after: "SELECT 1")
            }
            for result in results { try result.get() }
            #expect(proxy.hasStruck)
            #expect(try tallies(of: 3) == [1, 1, 1], "after \(cut) bytes")
        }
    }

    /// G4
    @Test func `is committed once if the server reads the commit before it late`() async throws {
        let counter = try await counter()
        let results = try await run(3, on: counter) { number throws(ActionError) in
            if number == 0 { proxy.arm(.withhold, at: "COMMIT") }
            try await counter.tally(number, after: "SELECT 1")
        }
        for result in results { try result.get() }
        #expect(proxy.hasStruck)
        proxy.deliver()
        #expect(try tallies(of: 3) == [1, 1, 1])
    }

    @Test(arguments: [false, true]) func `harms no other one if its first query is refused`(usesNames: Bool) async throws {
        let counter = try await counter(usesNames: usesNames)
        let results = try await run(9, on: counter) { number throws(ActionError) in
            try await counter.tally(number, after: number % 3 == 1 ? "SELECT sqrt(-1)" : "SELECT 1")
        }
        for (number, result) in results.enumerated() {
            if number % 3 == 1 { #expect(throws: ActionError.self) { try result.get() } } else { try result.get() }
        }
        #expect(try tallies(of: 9) == [1, 0, 1, 1, 0, 1, 1, 0, 1])
    }

    /// X8
    @Test func `is refused if it has waited too long`() async throws {
        let counter = try await counter(waiting: .seconds(5))
        let results = try await run(3, on: counter, delay: .seconds(6)) { number throws(ActionError) in
            try await counter.tally(number, after: "SELECT 1")
        }
        for result in results { #expect(throws: ActionError.self) { try result.get() } }
        #expect(try tallies(of: 3) == [0, 0, 0])
    }

    @Test(arguments: [false, true]) func `is run although the one before it is not committed`(usesNames: Bool) async throws {
        let counter = try await counter(usesNames: usesNames)
        let results = try await run(9, on: counter) { number throws(ActionError) in
            // Only the first assumption is right.
            if number % 2 == 0 { return try await counter.add(ifIs: 0, after: "SELECT 1") }
            try await counter.tally(number, after: "SELECT 1")
            return true
        }
        #expect(try results.map { try $0.get() } == [true, true, false, true, false, true, false, true, false])
        #expect(try await counter.value == 1)
        #expect(try tallies(of: 9) == [0, 1, 0, 1, 0, 1, 0, 1, 0])
    }
}

extension Counter {
    /// Adds a row after a query.
    fileprivate func tally(_ mark: Int, after query: String, then pause: @escaping @Sendable () -> Void = {}) async throws(ActionError) {
        try await database.write { db throws(ActionError) in
            do throws(SQLFailure) {
                _ = try db.rows(query, [])
                pause()
                try db.submit("INSERT INTO tally (mark) VALUES (?)", [.integer(Int64(mark))])
            } catch { throw ActionError(error) }
        }
    }

    /// Adds one after a query, if the number is what is assumed.
    fileprivate func add(ifIs value: Int, after query: String) async throws(ActionError) -> Bool {
        try await database.write { db throws(ActionError) in
            do throws(SQLFailure) {
                _ = try db.rows(query, [])
                return try db.changesRow("UPDATE counter SET value = value + 1 WHERE id = 1 AND value = ?", [.integer(Int64(value))])
            } catch { throw ActionError(error) }
        }
    }
}
