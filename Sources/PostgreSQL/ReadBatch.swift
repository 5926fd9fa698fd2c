internal import Accounts
internal import Queues
internal import Store

/// Reads that share round trips: those that arrive while one batch waits for the server form the
/// next. Most reads are one query. It is found by running the read without an answer, up to its
/// first query, and the read is run again with the answer.
struct ReadBatch: Sendable {
    /// The second lane is for reads that arrive while a query of the first takes long. All others
    /// use one lane, which makes larger batches.
    private let lanes: [ReadLane]

    /// The first query of each round trip, and whether its answer allows that the others are used.
    struct Condition: Sendable {
        let query: Statement
        let isMet: @Sendable ([SQLRow]) -> Bool
    }

    /// - Parameter observeFailure: called when a connection was lost, or the condition is not met.
    init(
        _ sessions: Sessions, maxWaiting: Int, onlyIf condition: Condition? = nil, observeFailure: @escaping @Sendable () -> Void = {}
    ) {
        lanes = (0..<2).map { number in
            ReadLane(
                label: "onward.postgresql.reads.\(number)", maxWaiting: maxWaiting,
                trips: ReadTrips(sessions, condition, observeFailure: observeFailure))
        }
    }

    /// The number of reads that wait for the next batch.
    var waitingCount: Int { lanes.reduce(0) { $0 + $1.queue.waitingCount } }

    /// The result of a read that is one query; nil if it has to be run alone, because it has more
    /// queries, or because the server failed.
    func run<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async -> Result<T, ActionError>? {
        await suspended { continuation in
            let read = QueuedRead(body) { continuation.resume(returning: $0) }
            let lane = lanes[0].isHeldUp ? lanes[1] : lanes[0]
            do throws(BatchQueue<QueuedRead>.SubmitError) { try lane.queue.submit(read) } catch {
                continuation.resume(returning: .failure(ActionError(.failed(cause: "PostgreSQL: too many reads are waiting"))))
            }
        }
    }
}

/// A queue of reads, which uses one connection at a time.
private struct ReadLane: Sendable {
    /// The most queries of one round trip. Few, so that pages are made of the first answers while
    /// the server works on the next queries (measured beside 4 and 64).
    private static let maxQueries = 8

    let queue: BatchQueue<QueuedRead>
    private let trips: ReadTrips

    init(label: String, maxWaiting: Int, trips: ReadTrips) {
        self.trips = trips
        queue = BatchQueue(label: label, maxWaiting: maxWaiting, maxBatch: Self.maxQueries) { trips.run($0, next: $1.takeBatch) }
    }

    var isHeldUp: Bool { trips.isHeldUp }
}

/// Round trips of one connection. The next batch is sent as soon as the server begins to answer the
/// one before, so that it works while the answers are read.
private struct ReadTrips: Sendable {
    /// The time after which a batch that was not answered holds up others.
    private static let longestTrip = Duration.milliseconds(5)

    let sessions: Sessions
    let condition: ReadBatch.Condition?
    let observeFailure: @Sendable () -> Void
    /// When the batch was sent, or when it became the first, that is not answered yet.
    private let busySince = Locked<ContinuousClock.Instant?>(nil)

    init(_ sessions: Sessions, _ condition: ReadBatch.Condition?, observeFailure: @escaping @Sendable () -> Void) {
        (self.sessions, self.condition, self.observeFailure) = (sessions, condition, observeFailure)
    }

    var isHeldUp: Bool { busySince.value.map { .now - $0 > Self.longestTrip } ?? false }

    /// A read that was sent.
    private typealias Asked = (read: QueuedRead, query: Statement)

    /// - Parameter takeNext: takes the next batch; empty if there is none.
    func run(_ reads: [QueuedRead], next takeNext: () -> [QueuedRead]) {
        var (asked, next) = (Self.queries(of: reads), [Asked]())
        guard !asked.isEmpty else { return }
        defer { busySince.update { $0 = nil } }
        do throws(ServerFailure) {
            let connection = try sessions.take()
            try send(asked, on: connection)
            while !asked.isEmpty {
                busySince.update { $0 = .now }
                try connection.waitForReply()
                next = Self.queries(of: takeNext())
                if !next.isEmpty { try send(next, on: connection) }
                try finish(asked, on: connection)
                (asked, next) = (next, [])
            }
            sessions.giveBack(connection)
        } catch {
            sessions.dropIdle()
            observeFailure()
            for asked in asked + next { asked.read.leave() }
        }
    }

    /// The reads with their queries. Those that have none are handed back.
    private static func queries(of reads: [QueuedRead]) -> [Asked] {
        reads.compactMap { read in
            guard let query = read.query() else {
                read.leave()
                return nil
            }
            return (read, query)
        }
    }

    private func send(_ asked: [Asked], on connection: PostgreSQLConnection) throws(ServerFailure) {
        try connection.send((condition.map { [$0.query] } ?? []) + asked.map(\.query))
    }

    /// Hands out the answers to a batch. If the server refuses a query, each read is run again by
    /// itself, which tells whose query is at fault. Throws if the connection was lost.
    private func finish(_ asked: [Asked], on connection: PostgreSQLConnection) throws(ServerFailure) {
        var replies: [ServerReply]
        do throws(ServerFailure) { replies = try connection.replies() } catch {
            if case .lost = error { throw error }
            return asked.forEach { $0.read.leave() }
        }
        if let condition, !condition.isMet(replies.removeFirst().rows) {
            observeFailure()
            return asked.forEach { $0.read.leave() }
        }
        for (asked, reply) in zip(asked, replies) { asked.read.finish(reply.rows) }
    }
}

/// One read that waits for the next batch, with its caller's continuation.
struct QueuedRead: Sendable {
    /// The first query; nil if there is none.
    let query: @Sendable () -> Statement?
    /// Runs the read with the answer to its first query.
    let finish: @Sendable ([SQLRow]) -> Void
    /// Hands the read back.
    let leave: @Sendable () -> Void

    init<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T,
        complete: @escaping @Sendable (Result<T, ActionError>?) -> Void
    ) {
        query = {
            let first = FirstQuery()
            _ = try? body(first)
            return first.query
        }
        finish = { rows in
            let answered = FirstQuery(answer: rows)
            let result = Result { () throws(ActionError) in try body(answered) }
            complete(answered.isEnough ? result : nil)
        }
        leave = { complete(nil) }
    }
}

/// The statements of a read that has the answer to its first query, or not even that.
private final class FirstQuery: SQLStatements {
    private var answer: [SQLRow]?
    /// The first query; nil if there was none, or if it cannot be sent.
    private(set) var query: Statement?
    /// Whether nothing else was asked.
    private(set) var isEnough = true

    init(answer: [SQLRow]? = nil) { self.answer = answer }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        if let answer {
            self.answer = nil
            return answer
        }
        if query == nil, isEnough, sql.hasPrefix("SELECT"), !arguments.contains(where: \.containsNUL) { query = Statement(sql, arguments) }
        isEnough = false
        throw .failed(cause: "the query has no answer yet")
    }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        isEnough = false
        throw .failed(cause: "a read must not write")
    }
}

extension SQLValue {
    /// libpq would cut such a text short.
    var containsNUL: Bool {
        guard case .text(let text) = self else { return false }
        return text.utf8.contains(0)
    }
}
