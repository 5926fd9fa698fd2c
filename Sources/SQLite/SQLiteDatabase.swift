public import Accounts
internal import Base
internal import CSQLite
internal import Network
public import Store

/// One SQLite file: a pool of read-only connections, whose reads run on the caller's thread, and
/// one `Writer`.
public struct SQLiteDatabase: SQLDatabase {
    public static var libraryVersion: String { String(cString: sqlite3_libversion()) }

    private let file: DatabaseFile
    private let readers = Pool<SQLiteConnection>()
    private let writer: Writer
    /// Held for as long as the database is open. Nil unless a server opened it.
    private let serverLock: ServerLock?

    /// Opens the file for a command, and creates it if there is none. Other processes may have it
    /// open. Throws `Unavailable` with a sentence for the operator if the file cannot be written,
    /// is not a database, or does not accept the settings that durability depends on (D1, D7).
    ///
    /// A process that is alone with the database when it opens it runs checkpoints, and copies the
    /// write-ahead log into the database when it closes it. Any other process leaves the log alone.
    /// - Parameters:
    ///   - path: its folder must exist.
    ///   - maxWaiting: the most transactions that may wait for the disk; more are `Unavailable`.
    ///   - observe: called after every commit.
    ///   - onSyncFailure: called once, when a sync has failed. Nothing can be written from then on,
    ///     and what is read may never reach the disk. The process must end; the next one recovers
    ///     every commit from the write-ahead log (D4).
    public init(
        path: String, maxWaiting: Int = 1024, observe: @escaping @Sendable (Commit) -> Void = { _ in },
        onSyncFailure: @escaping @Sendable () -> Void = {}
    ) throws(ActionError) {
        let file = try DatabaseFile(preparing: path)
        try self.init(
            file: file, isCheckpointing: !SQLiteFile.isInUse(path), serverLock: nil, maxWaiting: maxWaiting, observe: observe,
            onSyncFailure: onSyncFailure)
    }

    /// Opens the file for a server, which runs checkpoints.
    ///
    /// The number of pages that count as copied into the database is in shared memory (the -shm
    /// file), which lives as long as any process has the database open. If a server ended because a
    /// sync failed, the number is wrong: pages that count as copied may be missing on the disk. So
    /// a server waits until no other process has the database open. SQLite then recovers the whole
    /// write-ahead log, and nothing counts as copied. The exception is a database that another
    /// running server has open: that server vouches for the number, and an upgrade may start the
    /// new server before the old one ends.
    /// - Parameters:
    ///   - patience: how long to wait for other processes; after that, `Unavailable`.
    ///   - onWait: called once, if it has to wait.
    public static func openForServer(
        path: String, maxWaiting: Int = 1024, patience: Duration = .seconds(30), onWait: @Sendable () -> Void = {},
        observe: @escaping @Sendable (Commit) -> Void = { _ in }, onSyncFailure: @escaping @Sendable () -> Void = {}
    ) async throws(ActionError) -> SQLiteDatabase {
        let file = try DatabaseFile(preparing: path)
        do {
            let lock = try ServerLock(of: file)
            let deadline = Uptime.now + patience
            var hasWaited = false
            while true {
                if lock.acquireAlone() {
                    if !SQLiteFile.isInUse(path) { break }
                } else if lock.acquireShared() {
                    break
                }
                guard Uptime.now < deadline else {
                    throw SQLFailure.failed(cause: "another process, such as an `onward` command, has it open; wait until that has ended")
                }
                if !hasWaited { onWait() }
                hasWaited = true
                try await Task.sleep(for: .milliseconds(20))
            }
            let database = try SQLiteDatabase(
                file: file, isCheckpointing: true, serverLock: lock, maxWaiting: maxWaiting, observe: observe, onSyncFailure: onSyncFailure)
            guard lock.acquireShared() else { throw SQLFailure.failed(cause: "another server is being started") }
            return database
        } catch let error as ActionError { throw error } catch {
            throw DatabaseFile.unusable(path, (error as? SQLFailure)?.cause ?? "the start was cancelled")
        }
    }

    /// The length of the write-ahead log, in pages, from which on it is checkpointed: 64 MB.
    private static let checkpointLength = 16_000

    private init(
        file: DatabaseFile, isCheckpointing: Bool, serverLock: ServerLock?, maxWaiting: Int,
        observe: @escaping @Sendable (Commit) -> Void, onSyncFailure: @escaping @Sendable () -> Void
    ) throws(ActionError) {
        (self.file, self.serverLock) = (file, serverLock)
        do throws(SQLFailure) {
            // The writer first: it creates the write-ahead log, which readers need.
            writer = try Writer(
                file: file, maxWaiting: maxWaiting, checkpointLength: isCheckpointing ? Self.checkpointLength : nil, observe: observe,
                onSyncFailure: onSyncFailure)
            readers.giveBack(try Self.reader(of: file))
        } catch { throw DatabaseFile.unusable(file.path, error.cause) }
    }

    /// Notes that a server has used the database, so that a later start takes a missing one for
    /// lost (D4). Only for a database that a server opened.
    public func noteUse() { serverLock?.noteUse() }

    /// The number of transactions that wait for the disk.
    public var waitingCount: Int { writer.waitingCount }

    public var name: String { file.path }

    public var dialect: SQLDialect { .sqlite }

    /// Runs on the caller's thread: an indexed read takes less time than a change of threads.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        let reader: SQLiteConnection
        do throws(SQLFailure) {
            reader = try takeReader()
            try reader.run("BEGIN")
        } catch { throw ActionError(error) }
        do throws(ActionError) {
            let result = try body(reader)
            try end(reader)
            return result
        } catch {
            // After a failure the page cache of the connection is not trusted (D4, D10).
            if case .unavailable = error { throw error }
            try end(reader)
            throw error
        }
    }

    private func end(_ reader: SQLiteConnection) throws(ActionError) {
        do throws(SQLFailure) { try reader.run("COMMIT") } catch { throw ActionError(error) }
        readers.giveBack(reader)
    }

    public func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await writer.run(body).get()
    }

    public func durabilitySettings() async throws(ActionError) -> [String: String] {
        try await write { db throws(ActionError) in
            var findings: [String: String] = [:]
            do throws(SQLFailure) {
                for pragma in Durability.writing { findings[pragma.name] = try pragma.found(by: db) }
            } catch { throw ActionError(error) }
            return findings
        }
    }

    /// Commits what is waiting and closes the file. Later calls throw `Unavailable`.
    public func close() async throws(ActionError) {
        readers.close()
        // Last, because only a connection that writes can checkpoint when it is closed.
        try await writer.close()
    }

    private func takeReader() throws(SQLFailure) -> SQLiteConnection {
        let idle: SQLiteConnection?
        do { idle = try readers.take() } catch { throw .failed(cause: Writer.closed) }
        if let idle { return idle }
        return try Self.reader(of: file)
    }

    private static func reader(of file: DatabaseFile) throws(SQLFailure) -> SQLiteConnection {
        try SQLiteConnection(path: file.path, access: .readOnly, pragmas: Durability.reading)
    }
}
