public import Accounts
internal import Base
internal import Foundation
internal import Network
public import Store

/// A database of a PostgreSQL server, which any number of processes use at the same time.
///
/// Transactions are serializable, so what is right on SQLite, which has one writer, is right here:
/// a transaction that conflicts with others is run again. Each runs on its own thread, with a
/// connection from a pool. Reads have other threads, so that pages are shown while commits wait.
public struct PostgreSQLDatabase: SQLDatabase {
    public let name: String
    private let pool: ConnectionPool
    private let readers, writers: DatabaseWorkers
    private let replica: ReplicaReads?
    private let options: Options
    private let observe: @Sendable (Commit) -> Void

    /// Connects once, and throws `Unavailable` with a sentence for the operator if that fails.
    /// - Parameter observe: called after every commit.
    public init(_ options: Options, observe: @escaping @Sendable (Commit) -> Void = { _ in }) async throws(ActionError) {
        guard let name = ConnectionParameters.description(of: options.url) else {
            throw .unavailable(
                Unavailable(.store, cause: "The URL of the database is not one that libpq can read, such as postgres://user@host/database.")
            )
        }
        (self.name, self.options, self.observe) = (options.name ?? name, options, observe)
        let pool = ConnectionPool(options)
        self.pool = pool
        replica = options.replica.map { ReplicaReads($0, of: options, primary: pool) }
        let (count, maxWait) = (options.maxConnections, options.deadlines.waiting)
        readers = DatabaseWorkers(label: "onward.postgresql.reads", width: (count + 1) / 2, maxWait: maxWait)
        writers = DatabaseWorkers(label: "onward.postgresql", width: count, maxWait: maxWait)
        try await writers.run { () throws(ActionError) in
            do throws(ServerFailure) { pool.giveBack(try pool.connect()) } catch {
                throw .unavailable(Unavailable(.store, cause: "The database \(options.name ?? name) cannot be used: \(error.cause)."))
            }
        }
    }

    public static var libraryVersion: String { LibraryVersion.libpq }

    /// The number of reads and transactions that wait for a connection.
    public var waitingCount: Int { readers.waitingCount + writers.waitingCount }

    /// The number of transactions that were run again because they met others, since the start.
    public var conflictCount: Int64 { pool.conflicts.value }

    public var dialect: SQLDialect { .postgreSQL }

    public func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await readers.run { () throws(ActionError) in try TransactionRunner(pool, options).run(.snapshot(options), body) }
    }

    public func preview<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T?
    ) async throws(ActionError) -> T? {
        if let found = await replica?.run(body) { return found }
        return try await read(body)
    }

    /// The number of reads that the replica answered, since the start.
    public var replicaAnswerCount: Int64 { replica?.answers.value ?? 0 }

    public func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await commit(.serializable(options), body)
    }

    public func claim<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await commit(.readCommitted(options), body)
    }

    private func commit<T: Sendable>(
        _ opening: TransactionOpening, _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await writers.run { () throws(ActionError) in
            let start = Uptime.now
            let result = Result { () throws(ActionError) in try TransactionRunner(pool, options).run(opening, body) }
            observe(Commit(transactions: 1, span: .now - start, isDurable: !result.isUnavailable))
            return try result.get()
        }
    }

    public func writeAlone<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        var patient = options
        patient.deadlines.response = .seconds(86400)
        patient.deadlines.conflicts = .seconds(60)
        let exclusive = ConnectionPool(patient)
        defer { exclusive.close() }
        return try await writers.run { [patient] () throws(ActionError) in
            try TransactionRunner(exclusive, patient).run(.exclusive, body)
        }
    }

    public var announcements: AsyncStream<String>? {
        AsyncStream(bufferingPolicy: .bufferingNewest(Announcements.maxWaiting)) { continuation in
            let announcements = Announcements(options) { continuation.yield($0) }
            continuation.onTermination = { _ in announcements.stop() }
        }
    }

    public func durabilitySettings() async throws(ActionError) -> [String: String] {
        try await read { db throws(ActionError) in
            do throws(SQLFailure) {
                var settings: [String: String] = [:]
                for var row in try db.rows(
                    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')", [])
                { settings[try row.next()] = try row.next() }
                return settings
            } catch { throw ActionError(error) }
        }
    }

    /// Ends the idle connections, and each of the others after its transaction. Later calls throw
    /// `Unavailable`.
    public func close() async throws(ActionError) {
        pool.close()
        replica?.close()
    }
}

extension Result where Failure == ActionError {
    fileprivate var isUnavailable: Bool {
        guard case .failure(.unavailable) = self else { return false }
        return true
    }
}
