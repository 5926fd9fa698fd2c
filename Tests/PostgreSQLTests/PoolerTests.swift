import Accounts
import Foundation
import PostgreSQL
import Store
import Testing
import World

/// PgBouncer, which gives each transaction another connection of its own.
struct Pooler {
    let port: UInt16
    private let program: Program

    init(before place: PostgreSQLTestDatabase) throws {
        let listening = try ListeningSocket()
        port = listening.port
        close(listening.descriptor)
        let file = FileManager.default.temporaryDirectory.path + "/onward-pgbouncer-\(UUID().uuidString.prefix(8)).ini"
        try """
        [databases]
        * = host=127.0.0.1 port=\(place.port) user=postgres
        [pgbouncer]
        listen_addr = 127.0.0.1
        listen_port = \(port)
        auth_type = any
        pool_mode = transaction
        default_pool_size = 4
        unix_socket_dir =
        """.write(toFile: file, atomically: true, encoding: .utf8)
        chmod(file, 0o644)
        // It does not run as root, either.
        let user = geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"] : []
        program = try Program("/usr/bin/env", user + [Program.path(to: "pgbouncer"), file], errors: "/dev/null")
    }

    /// Waits until it accepts connections.
    func ready(for place: PostgreSQLTestDatabase) async throws -> Pooler {
        let url = place.url(port: port)
        try await eventually("PgBouncer") { try PostgreSQLTestDatabase.psql("SELECT 1", at: url) }
        return self
    }

    func stop() { program.signal(SIGKILL) }
}

@Suite struct `A PostgreSQL database behind PgBouncer` {
    private let place: PostgreSQLTestDatabase
    private let pooler: Pooler

    init() async throws {
        place = try PostgreSQLCluster.newDatabase()
        pooler = try await Pooler(before: place).ready(for: place)
    }

    /// - Parameter isFirst: whether the tables of the counter have to be created.
    private func counter(isFirst: Bool = true) async throws -> Counter {
        var options = Options(url: place.url(port: pooler.port))
        (options.usesNamedStatements, options.directURL) = (false, place.url)
        (options.deadlines.waiting, options.deadlines.conflicts) = (.seconds(60), .seconds(60))
        let counter = try await Counter(options)
        if isFirst { try place.psql(Counter.tables) }
        return counter
    }

    @Test func `loses no change of transactions that conflict, in two processes`() async throws {
        defer { pooler.stop() }
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
        defer { pooler.stop() }
        let counter = try await counter()
        try await counter.add()
        for _ in 0..<8 {
            #expect(try PostgreSQLTestDatabase.psql("SHOW statement_timeout", at: place.url(port: pooler.port)) == "0\n")
        }
    }
}
