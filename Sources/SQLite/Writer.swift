internal import Accounts
internal import Base
internal import Network
internal import Store

/// The one connection that writes, with group commit: the transactions that arrive while one commit
/// is being synced go into the next commit, so that one sync serves many. SQLite blocks the queue
/// of the `BatchQueue` and no other thread.
struct Writer: Sendable {
    private struct Opened: Sendable {
        let connection: SQLiteConnection
        let wal: DatabaseFile.Identity?
    }

    private let batchQueue: BatchQueue<QueuedTransaction>
    /// Nil after a failed commit; the next group opens a new connection.
    private let opened: Locked<Opened?>
    private let failures: SyncFailures
    /// Nil if this process must not run checkpoints.
    private let checkpointer: Checkpointer?

    /// - Parameters:
    ///   - checkpointLength: the length in pages from which on the WAL is checkpointed; nil if this
    ///     process must not run checkpoints.
    ///   - onSyncFailure: called once, when a sync has failed; from then on every transaction is
    ///     `Unavailable`.
    init(
        file: DatabaseFile, maxWaiting: Int, checkpointLength: Int?, observe: @escaping @Sendable (Commit) -> Void = { _ in },
        onSyncFailure: @escaping @Sendable () -> Void = {}
    ) throws(SQLFailure) {
        let opened = Locked<Opened?>(try Self.open(file))
        let failures = SyncFailures(onFirst: onSyncFailure)
        var checkpointer: Checkpointer?
        if let checkpointLength { checkpointer = try Checkpointer(of: file, startLength: checkpointLength, failures: failures) }
        (self.opened, self.failures, self.checkpointer) = (opened, failures, checkpointer)
        batchQueue = BatchQueue(label: "onward.sqlite.writer", maxWaiting: maxWaiting) { [checkpointer] transactions in
            let (started, group) = (Uptime.now, TransactionGroup(transactions: transactions))
            var (isCommitted, isInDoubt) = (false, false)
            do throws(SQLFailure) {
                guard !failures.hasFailed else { throw .failed(cause: Self.syncFailed) }
                let current = if let opened = opened.value { opened } else { try Self.open(file) }
                // If this throws, the connection is kept: when it is closed, or the file put back,
                // the commits in the WAL may still be saved.
                try file.checkIdentity(wal: current.wal)
                do throws(SQLFailure) { try group.commit(on: current.connection) } catch {
                    isInDoubt = current.connection.hasSyncFailed
                    if isInDoubt { failures.report() }
                    // Closing the connection rolls back, and drops the page cache, which is not
                    // trusted after a failure (D4).
                    opened.update { $0 = nil }
                    throw error
                }
                opened.update { $0 = current }
                isCommitted = true
                checkpointer?.committed(walLength: current.connection.walLength)
            } catch { group.fail(error, isInDoubt: isInDoubt) }
            observe(Commit(transactions: transactions.count, span: .now - started, isDurable: isCommitted))
        }
    }

    /// The number of transactions that wait for the next group.
    var waitingCount: Int { batchQueue.waitingCount }

    /// Returns when the transaction is durable, or has failed.
    func run<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async -> Result<T, ActionError> {
        await suspended { continuation in
            do throws(BatchQueue<QueuedTransaction>.SubmitError) {
                try batchQueue.submit(QueuedTransaction(body) { continuation.resume(returning: $0) })
            } catch {
                continuation.resume(returning: .failure(ActionError(error)))
            }
        }
    }

    /// Commits what is waiting first.
    func close() async throws(ActionError) {
        await batchQueue.close()
        do throws(SQLFailure) {
            try await checkpointer?.close()
            try opened.value?.connection.close(checkpoints: checkpointer != nil && !failures.hasFailed)
        } catch { throw ActionError(error) }
        opened.update { $0 = nil }
    }

    static let closed = "the database is closed"
    private static let syncFailed = "A sync of the database failed. Nothing is lost: check the disk and restart Onward."

    private static func open(_ file: DatabaseFile) throws(SQLFailure) -> Opened {
        try file.checkIdentity()
        let connection = try SQLiteConnection(path: file.path, access: .readWrite, pragmas: Durability.writing)
        // Creates the WAL.
        try connection.run("SELECT count(*) FROM sqlite_schema")
        return Opened(connection: connection, wal: file.wal)
    }
}

extension ActionError {
    fileprivate init(_ error: BatchQueue<QueuedTransaction>.SubmitError) {
        switch error {
        case .full: self.init(.failed(cause: "too many transactions are waiting"))
        case .closed: self.init(.failed(cause: Writer.closed))
        }
    }
}
