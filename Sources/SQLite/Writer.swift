internal import Accounts
internal import Queues
internal import Store

/// The one connection that writes, with group commit: what is asked while one commit is being synced goes into the next, so that
/// one sync pays for many. SQLite blocks the queue of its ferry and nothing else.
struct Writer: Sendable {
    private struct Opened: Sendable {
        let connection: SQLiteConnection
        let log: DatabaseFile.Identity?
    }

    private let batchQueue: BatchQueue<QueuedTransaction>
    /// Nil after a failed commit: the next group opens another.
    private let opened: Locked<Opened?>
    private let checkpoints: Checkpoints

    /// - Parameters:
    ///   - logPages: how long the WAL becomes before it is taken over.
    ///   - onLost: called once, when a sync of the database has failed: then every transaction is `Unavailable`.
    init(
        file: DatabaseFile, maxWaiting: Int, logPages: Int = 16_000, observe: @escaping @Sendable (Commit) -> Void = { _ in },
        onLost: @escaping @Sendable () -> Void = {}
    ) throws(SQLFailure) {
        let opened = Locked<Opened?>(try Self.open(file))
        let checkpoints = try Checkpoints(of: file, pages: logPages, onLost: onLost)
        (self.opened, self.checkpoints) = (opened, checkpoints)
        batchQueue = BatchQueue(label: "onward.sqlite.writer", maxWaiting: maxWaiting) { transactions in
            let (started, group) = (ContinuousClock.now, TransactionGroup(transactions: transactions))
            var isCommitted = false
            do throws(SQLFailure) {
                guard !checkpoints.isLost else { throw SQLFailure.failed(cause: Self.lost) }
                let current = if let opened = opened.value { opened } else { try Self.open(file) }
                // Where that throws, the connection is kept: its end, or the file's return, may still save what is in the WAL.
                try file.checkItsPlace(log: current.log)
                isCommitted = group.commit(on: current.connection)
                opened.update { [isCommitted] in $0 = isCommitted ? current : nil }
                if isCommitted { checkpoints.consider(length: current.connection.walLength, transactions: transactions.count) }
            } catch { group.fail(error) }
            observe(Commit(transactions: transactions.count, span: .now - started, isDurable: isCommitted))
        }
    }

    /// How many transactions wait for the next group.
    var waitingCount: Int { batchQueue.waitingCount }

    /// Waits for a place in a group, and for the group to be durable.
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

    /// Lets what is waiting finish first.
    func close() async throws(ActionError) {
        await batchQueue.close()
        do throws(SQLFailure) {
            try await checkpoints.close()
            try opened.value?.connection.close()
        } catch { throw ActionError(error) }
        opened.update { $0 = nil }
    }

    static let closed = "the database is closed"
    private static let lost = "The disk could not keep what the database wrote. Nothing is lost: start Onward anew, and see to the disk."

    private static func open(_ file: DatabaseFile) throws(SQLFailure) -> Opened {
        try file.checkItsPlace()
        let connection = try SQLiteConnection(path: file.path, access: .readWrite, pragmas: Durability.writing)
        // Makes the WAL.
        try connection.run("SELECT count(*) FROM sqlite_schema")
        return Opened(connection: connection, log: file.log)
    }
}

extension ActionError {
    fileprivate init(_ refusal: BatchQueue<QueuedTransaction>.SubmitError) {
        switch refusal {
        case .full: self.init(.failed(cause: "too many transactions are waiting"))
        case .closed: self.init(.failed(cause: Writer.closed))
        }
    }
}
