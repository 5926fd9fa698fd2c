import Accounts
import Foundation
import PostgreSQL
import Store
import Testing
import World

@Suite struct `A PostgreSQL database behind PgBouncer` {
    private let place: PostgreSQLTestDatabase
    private let url: String

    init() async throws {
        let place = try PostgreSQLCluster.newDatabase()
        let url = try PostgreSQLPooler.url(of: place)
        (self.place, self.url) = (place, url)
        try await eventually("PgBouncer") { try? PostgreSQLTestDatabase.psql("SELECT 1", at: url) }
    }

    /// - Parameter isFirst: whether the tables of the counter have to be created.
    private func counter(isFirst: Bool = true) async throws -> Counter {
        var options = Options(url: url)
        (options.usesNamedStatements, options.directURL) = (false, place.url)
        options.deadlines = .patient
        let counter = try await Counter(options)
        if isFirst { try place.psql(Counter.tables) }
        return counter
    }

    @Test func `loses no change of transactions that conflict, in two processes`() async throws {
        let (one, other) = (try await counter(), try await counter(isFirst: false))
        let values = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 { group.addTask { try await (number % 2 == 0 ? one : other).add() } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(values == Set(1...60))
        #expect(try await one.value == 60)
        #expect(try await other.add(ifIs: 60))
        #expect(try await !one.add(ifIs: 60))
    }

    /// G8: the deadlines are those of its transactions, and none is left to other clients.
    @Test func `keeps its settings to itself`() async throws {
        let counter = try await counter()
        try await counter.add()
        for _ in 0..<8 {
            #expect(try PostgreSQLTestDatabase.psql("SHOW statement_timeout", at: url) == "0\n")
        }
    }
}
