public import Accounts
public import Base
public import Configuration
import Foundation
import Logging
public import PostgreSQL
public import SQLite
public import Store

/// A database of any engine that this process has open.
public protocol OpenedDatabase: SQLDatabase {
    /// The number of transactions that wait for the database.
    var waitingCount: Int { get }
    /// The counts since the start that only this engine has.
    var counts: [Metric: Int64] { get }
    /// Notes that a server has used the database, if its engine could create an empty one in place
    /// of a lost one.
    func noteUse()
    func close() async throws(ActionError)
}

extension PostgreSQLSettings.Replica {
    fileprivate var options: PostgreSQLDatabase.Options.Replica {
        get throws { PostgreSQLDatabase.Options.Replica(url: try address.url().text, maxStaleness: maxStaleness) }
    }
}

extension SQLiteDatabase: OpenedDatabase {
    public var counts: [Metric: Int64] { [:] }
}

extension PostgreSQLDatabase: OpenedDatabase {
    public var counts: [Metric: Int64] { [.conflicts: conflictCount, .replicaReads: replicaAnswerCount] }
    public func noteUse() {}
}

/// The only place that opens databases.
extension DatabaseSetting {
    /// The name under which the connections of servers are known to PostgreSQL.
    private static let serverName = "onward serve"

    /// Opens the database for a server.
    /// - Parameters:
    ///   - observe: called after every commit.
    ///   - onSyncFailure: called when a sync of an SQLite database failed. The process must end.
    func openForServer(
        logger: Logger, observe: @escaping @Sendable (Commit) -> Void, onSyncFailure: @escaping @Sendable () -> Void
    ) async throws -> any OpenedDatabase {
        switch self {
        case .sqlite(let path):
            return try await SQLiteDatabase.openForServer(path: path) {
                logger.notice("database in use, waiting for other processes to close it", metadata: ["database": "\(path)"])
            } observe: {
                observe($0)
            } onSyncFailure: {
                onSyncFailure()
            }
        case .postgreSQL(let settings):
            for url in [try settings.address.url(), try settings.replica?.address.url()].compactMap(\.self) where !url.isVerified {
                logger.warning(
                    "database server not verified, add sslmode=verify-full to the URL", metadata: ["database": "\(url.withoutSecrets)"])
            }
            return try await Self.patiently(settings.waitAtStart) {
                try await Self.connect(settings, as: Self.serverName, observe: observe)
            } onWait: { cause in
                logger.warning(
                    "database server not usable, waiting",
                    metadata: [
                        "database": "\(settings.name)", "cause": "\(cause)", "seconds": "\(settings.waitAtStart.components.seconds)",
                    ])
            }
        }
    }

    /// Tries again while the database is unavailable, as when the machines of a site start at the
    /// same time (G1).
    /// - Parameters:
    ///   - patience: after this time the error is thrown.
    ///   - onWait: called with the first error, if there is time to wait.
    static func patiently<T>(
        _ patience: Duration, pause: Duration = .milliseconds(500), _ connect: () async throws -> T, onWait: (String) -> Void
    ) async throws -> T {
        let deadline = Uptime.now + patience
        var hasWaited = false
        while true {
            do { return try await connect() } catch ActionError.unavailable(let down) {
                guard Uptime.now + pause < deadline else { throw ActionError.unavailable(down) }
                if !hasWaited { onWait(down.cause) }
                hasWaited = true
                try await Task.sleep(for: pause)
            }
        }
    }

    /// Opens the database beside servers that have it open. A file is created if there is none.
    public func open() async throws -> any OpenedDatabase {
        switch self {
        case .sqlite(let path): try SQLiteDatabase(path: path)
        case .postgreSQL(let settings): try await Self.connect(settings, as: nil) { _ in }
        }
    }

    /// - Parameter application: the name of the connections, as the server lists them; nil: the
    ///   engine's.
    private static func connect(
        _ settings: PostgreSQLSettings, as application: String?, observe: @escaping @Sendable (Commit) -> Void
    ) async throws -> any OpenedDatabase {
        let url = try settings.address.url()
        let text = application.map { url.adding("application_name", $0) } ?? url.text
        var options = PostgreSQLDatabase.Options(url: text)
        options.name = settings.name
        options.password = try settings.password?.text()
        options.directURL = try settings.directAddress?.url().text
        options.replica = try application == nil ? nil : settings.replica?.options
        options.maxConnections = settings.maxConnections
        options.usesNamedStatements = settings.preparedStatements
        return try await PostgreSQLDatabase(options, observe: observe)
    }

    /// Whether a server has the database open; for a file also whether another command has.
    public func isInUse() async throws -> Bool {
        switch self {
        case .sqlite(let path): return SQLiteFile.isInUse(path)
        case .postgreSQL:
            return try await withDatabase { database in
                try await database.read { db throws(ActionError) in
                    do throws(SQLFailure) {
                        let sql = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = ? LIMIT 1"
                        return try !db.rows(sql, [.text(Self.serverName)]).isEmpty
                    } catch { throw ActionError(error) }
                }
            }
        }
    }

    /// Opens the database while `body` runs.
    public func withDatabase<T>(_ body: (any OpenedDatabase) async throws -> T) async throws -> T {
        let database = try await open()
        let result: T
        do { result = try await body(database) } catch {
            try await database.close()
            throw error
        }
        try await database.close()
        return result
    }

    /// Opens the database for a command while `body` runs; servers may have it open too. One that
    /// has to be migrated is refused with a `Failure`: a server of the version before may use it,
    /// and only its operator knows when it may change.
    /// - Parameters:
    ///   - creating: whether a database that does not exist, or has no tables, is created instead
    ///     of refused, for commands that fill one before the first start of a server.
    ///   - migrating: whether one of an earlier version is migrated, because no server runs.
    ///   - onlyReading: whether `body` writes nothing, so that it can run while the disk is full.
    public func withStore<T>(
        creating: Bool = false, migrating: Bool = false, onlyReading: Bool = false, _ body: (Store) async throws -> T
    ) async throws -> T {
        if !creating { try requireFile("; `onward serve` creates it") }
        return try await withDatabase { database in
            if let next = try await Store.pendingMigrations(of: database).first {
                guard next.version == 1 || migrating else {
                    throw Failure(
                        """
                        the database \(name) has the schema of an earlier version, whose server may be running: run `onward migrate`, or \
                        restart the server, which migrates it
                        """)
                }
                let isEmpty = next.version == 1
                guard !isEmpty || creating else { throw Failure("the database \(name) is empty; `onward serve` creates its tables") }
            }
            return try await body(onlyReading ? Store.withoutMigrating(database) : try await Store.open(database))
        }
    }

    /// Whether the database has Onward's tables; false if it does not exist.
    public func hasTables() async throws -> Bool {
        if case .sqlite(let path) = self, !FileManager.default.fileExists(atPath: path) { return false }
        return try await withDatabase { database in try await Store.pendingMigrations(of: database).first?.version != 1 }
    }

    /// Opens the database while `body` runs, whatever its schema is, since a server of another
    /// version may use it. Throws `Failure` for a file that does not exist.
    public func withStoreAsItIs<T>(_ body: (Store) async throws -> T) async throws -> T {
        try requireFile()
        return try await withDatabase { database in try await body(Store.withoutMigrating(database)) }
    }
}
