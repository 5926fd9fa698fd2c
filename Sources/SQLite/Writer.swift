internal import Accounts
internal import GRDB
internal import Store

/// The one connection that writes, with group commit: what is asked while one commit is being synced goes into the next, so that
/// one sync pays for many. The actor only keeps the books; SQLite blocks the queue of its connection and nothing else.
actor Writer {
    private let path: String
    private let maxWaiting: Int
    private let observe: @Sendable (Commit) -> Void
    /// Nil after a failed commit: the next group opens another.
    private var connection: DatabaseQueue?
    private var isClosed = false
    private var committing: Task<Void, Never>?
    private(set) var waiting: [Job] = []

    init(path: String, maxWaiting: Int, observe: @escaping @Sendable (Commit) -> Void = { _ in }) throws {
        self.path = path
        self.maxWaiting = maxWaiting
        self.observe = observe
        connection = try Self.open(path)
    }

    /// Waits for a place in a group, and for the group to be durable.
    func run<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async -> Result<T, ActionError> {
        if isClosed { return .failure(ActionError(.failed(cause: "the database is closed"))) }
        if waiting.count >= maxWaiting { return .failure(ActionError(.failed(cause: "\(maxWaiting) transactions are waiting"))) }
        return await withCheckedContinuation { continuation in
            waiting.append(Job(body) { continuation.resume(returning: $0) })
            if committing == nil { committing = Task { await commitWhatWaits() } }
        }
    }

    /// Lets what is waiting finish first.
    func close() async throws(ActionError) {
        isClosed = true
        await committing?.value
        do { try connection?.close() } catch { throw ActionError(SQLFailure(error)) }
        connection = nil
    }

    private func commitWhatWaits() async {
        while !waiting.isEmpty {
            let group = Group(jobs: waiting)
            waiting = []
            let started = ContinuousClock.now
            do {
                let queue = try connection ?? Self.open(path)
                let isCommitted = await withCheckedContinuation { continuation in
                    queue.asyncWriteWithoutTransaction { continuation.resume(returning: group.commit(in: $0)) }
                }
                observe(Commit(transactions: group.jobs.count, span: .now - started, isDurable: isCommitted))
                connection = isCommitted ? queue : nil
            } catch { group.fail(SQLFailure(error)) }
        }
        committing = nil
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.journalMode = .wal
        configuration.busyMode = .timeout(Durability.busySeconds)
        // A failed commit leaves its transaction to the closing of the connection; GRDB would end the process instead.
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        // GRDB has set `synchronous = NORMAL` by now.
        try queue.inDatabase(Durability.apply)
        return queue
    }
}
