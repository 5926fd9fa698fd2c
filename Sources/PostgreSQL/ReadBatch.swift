internal import Accounts
internal import Queues
internal import Store

/// Reads that share one round trip: those that arrive while one batch waits for the server form the
/// next. Most reads are one query. It is found by running the read without an answer, up to its
/// first query, and the read is run again with the answer.
struct ReadBatch: Sendable {
    /// Two, so that a query that takes long holds up few others.
    private let queues: [BatchQueue<QueuedRead>]

    /// The most queries of one round trip, so that the first ones do not wait long for the last.
    private static let maxQueries = 64

    /// The first query of each round trip, and whether its answer allows that the others are used.
    struct Condition: Sendable {
        let query: Statement
        let isMet: @Sendable ([SQLRow]) -> Bool
    }

    /// - Parameter observeFailure: called when a connection was lost, or the condition is not met.
    init(
        _ sessions: Sessions, maxWaiting: Int, onlyIf condition: Condition? = nil, observeFailure: @escaping @Sendable () -> Void = {}
    ) {
        queues = (0..<2).map { number in
            BatchQueue(label: "onward.postgresql.reads.\(number)", maxWaiting: maxWaiting) { reads in
                for start in stride(from: 0, to: reads.count, by: Self.maxQueries) {
                    Self.run(reads[start..<min(start + Self.maxQueries, reads.count)], on: sessions, onlyIf: condition, observeFailure)
                }
            }
        }
    }

    /// The number of reads that wait for the next batch.
    var waitingCount: Int { queues.reduce(0) { $0 + $1.waitingCount } }

    /// The result of a read that is one query; nil if it has to be run alone, because it has more
    /// queries, or because the server failed.
    func run<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async -> Result<T, ActionError>? {
        await suspended { continuation in
            let read = QueuedRead(body) { continuation.resume(returning: $0) }
            let queue = queues[0].waitingCount <= queues[1].waitingCount ? queues[0] : queues[1]
            do throws(BatchQueue<QueuedRead>.SubmitError) { try queue.submit(read) } catch {
                continuation.resume(returning: .failure(ActionError(.failed(cause: "PostgreSQL: too many reads are waiting"))))
            }
        }
    }

    private static func run(
        _ reads: ArraySlice<QueuedRead>, on sessions: Sessions, onlyIf condition: Condition?, _ observeFailure: () -> Void
    ) {
        var asking: [(read: QueuedRead, query: Statement)] = []
        for read in reads {
            if let query = read.query() { asking.append((read, query)) } else { read.leave() }
        }
        guard !asking.isEmpty else { return }
        do throws(ServerFailure) {
            let connection = try sessions.take()
            var replies = try connection.run((condition.map { [$0.query] } ?? []) + asking.map(\.query))
            sessions.giveBack(connection)
            if let condition, !condition.isMet(replies.removeFirst().rows) {
                observeFailure()
                return asking.forEach { $0.read.leave() }
            }
            for (asked, reply) in zip(asking, replies) { asked.read.finish(reply.rows) }
        } catch {
            // Each is run again by itself, which tells whose query is at fault.
            if case .lost = error {
                sessions.dropIdle()
                observeFailure()
            }
            for asked in asking { asked.read.leave() }
        }
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
