internal import Accounts
internal import Base
internal import Network
internal import Store

/// Runs reads that arrive at the same time in shared round trips. Most reads are one query. The
/// query is found by running the closure up to its first query; the closure is run again with the
/// answer. Both happen where the caller runs, so that the thread of the connection is free for it.
struct ReadBatch: Sendable {
    /// Reads use the first queue, so that batches are large. The second is used while a query of
    /// the first is slow, or more reads wait there than are sent at once.
    private let queues: [ReadQueue]

    /// The first query of each batch, and whether its answer allows that the others are used.
    struct Condition: Sendable {
        let query: Statement
        let isMet: @Sendable ([SQLRow]) -> Bool
    }

    /// - Parameters:
    ///   - maxWaiting: the number of reads that may wait in each queue.
    ///   - maxWait: the time after which a read that was not sent is run alone.
    ///   - observeFailure: called when a connection was lost, or the condition is not met.
    init(
        _ sessions: Sessions, maxWaiting: Int, maxWait: Duration, onlyIf condition: Condition? = nil,
        observeFailure: @escaping @Sendable () -> Void = {}
    ) {
        queues = (0..<2).map { number in
            ReadQueue(
                ReadPipeline(sessions, condition, maxWait: maxWait, observeFailure: observeFailure),
                label: "onward.postgresql.reads.\(number)", maxWaiting: maxWaiting)
        }
    }

    /// The number of reads that wait for the next batch.
    var waitingCount: Int { queues.reduce(0) { $0 + $1.waitingCount } }

    /// The result of a read that is one query; nil if it has to be run alone, because it has more
    /// queries, or because the server failed.
    func run<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async -> Result<T, ActionError>? {
        guard let query = FirstQuery.query(of: body) else { return nil }
        let answer: QueuedRead.BatchAnswer = await suspended { continuation in
            let read = QueuedRead(query: query) { continuation.resume(returning: $0) }
            let byLoad = queues[0].load <= queues[1].load ? queues : queues.reversed()
            if !byLoad.contains(where: { $0.accepts(read) }) { continuation.resume(returning: .refused) }
        }
        switch answer {
        case .none: return nil
        case .refused: return .failure(ActionError(.failed(cause: "PostgreSQL: too many reads are waiting")))
        case .rows(let rows):
            let answered = FirstQuery(answer: rows)
            let result = Result { () throws(ActionError) in try body(answered) }
            return answered.isEnough ? result : nil
        }
    }
}

/// A queue of reads, which uses one connection at a time.
private struct ReadQueue: Sendable {
    private let batches: BatchQueue<QueuedRead>
    private let pipeline: ReadPipeline

    init(_ pipeline: ReadPipeline, label: String, maxWaiting: Int) {
        self.pipeline = pipeline
        batches = BatchQueue(label: label, maxWaiting: maxWaiting, maxBatch: ReadPipeline.maxQueries) {
            pipeline.run($0, next: $1.takeBatch)
        }
    }

    /// Queues a read; returns false if the queue is full.
    func accepts(_ read: QueuedRead) -> Bool { (try? batches.submit(read)) != nil }

    var waitingCount: Int { batches.waitingCount }

    /// The load, as a further read meets it: none, or so many others, or above all an answer that
    /// is slow, by how slow it is.
    var load: Int {
        if let slowness = pipeline.slowness { return .max / 2 + slowness }
        let waiting = waitingCount
        return waiting < ReadPipeline.maxQueries * ReadPipeline.maxBatches ? 0 : waiting
    }
}

/// Batches of queries on one connection. Further ones are sent while the server works on the first,
/// so that the time for the way to the server and back is not waited for each time.
private struct ReadPipeline: Sendable {
    /// The largest number of queries in a batch, whose answers are sent together. Small, so that
    /// pages are rendered from the first answers while the server runs the next batch.
    static let maxQueries = 8
    /// The largest number of batches that are sent and not answered yet.
    static let maxBatches = 8
    /// The most batches before all are answered. A pooler gives the server's connection to another
    /// client only then.
    private static let longestRun = 64
    /// If a batch is not answered within this time, further reads use the other connection.
    private static let longestWait = Duration.milliseconds(5)

    private let sessions: Sessions
    private let condition: ReadBatch.Condition?
    private let maxWait: Duration
    private let observeFailure: @Sendable () -> Void
    /// The time at which the oldest unanswered batch was sent or became the oldest; nil if there is
    /// none.
    private let waitingSince = Locked<ContinuousClock.Instant?>(nil)

    init(
        _ sessions: Sessions, _ condition: ReadBatch.Condition?, maxWait: Duration, observeFailure: @escaping @Sendable () -> Void
    ) {
        (self.sessions, self.condition, self.maxWait, self.observeFailure) = (sessions, condition, maxWait, observeFailure)
    }

    /// How often `longestWait` has passed since the oldest unanswered batch was sent; nil if it has
    /// not.
    var slowness: Int? {
        waitingSince.value.flatMap { since in
            let times = Int((.now - since) / Self.longestWait)
            return times > 0 ? times : nil
        }
    }

    /// Runs reads, and those that arrive meanwhile.
    /// - Parameter takeNext: takes the next batch; empty if there is none.
    func run(_ reads: [QueuedRead], next takeNext: () -> [QueuedRead]) {
        var unanswered = [inTime(reads)].filter { !$0.isEmpty }
        guard let first = unanswered.first else { return }
        waitingSince.update { $0 = .now }
        defer { waitingSince.update { $0 = nil } }
        do throws(ServerFailure) {
            let connection = try sessions.take()
            try send(first, on: connection)
            var sent = 1
            while let oldest = unanswered.first {
                waitingSince.update { $0 = .now }
                try connection.waitForReply()
                while unanswered.count < Self.maxBatches, sent < Self.longestRun, sessions.mayKeep(connection) {
                    let next = inTime(takeNext())
                    guard !next.isEmpty else { break }
                    unanswered.append(next)
                    try send(next, on: connection)
                    sent += 1
                }
                let replies = try connection.replies()
                unanswered.removeFirst()
                // Before the callers go on, who may need a connection next.
                if unanswered.isEmpty { sessions.giveBack(connection) }
                finish(oldest, with: replies)
            }
        } catch {
            // Each is run again by itself, which tells whose query is at fault.
            if case .lost = error {
                sessions.drop()
                observeFailure()
            }
            for read in unanswered.joined() { read.complete(.none) }
        }
    }

    private func send(_ reads: [QueuedRead], on connection: PostgreSQLConnection) throws(ServerFailure) {
        try connection.send((condition.map { [$0.query] } ?? []) + reads.map(\.query))
    }

    /// The reads that have not waited for long. The others are left to be run alone.
    private func inTime(_ reads: [QueuedRead]) -> [QueuedRead] {
        let now = ContinuousClock.now
        return reads.filter { read in
            let isInTime = now - read.submittedAt < maxWait
            if !isInTime { read.complete(.none) }
            return isInTime
        }
    }

    private func finish(_ reads: [QueuedRead], with replies: [ServerReply]) {
        if let condition, !condition.isMet(replies[0].rows) {
            observeFailure()
            return reads.forEach { $0.complete(.none) }
        }
        for (read, reply) in zip(reads, replies.dropFirst(condition == nil ? 0 : 1)) { read.complete(.rows(reply.rows)) }
    }
}

/// The first query of a read, which waits for the next batch.
struct QueuedRead: Sendable {
    enum BatchAnswer {
        case rows([SQLRow])
        /// The read has to be run alone.
        case none
        /// Too many reads wait.
        case refused
    }

    let submittedAt = ContinuousClock.now
    let query: Statement
    /// Continues the caller.
    let complete: @Sendable (BatchAnswer) -> Void
}
