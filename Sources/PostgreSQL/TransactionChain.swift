internal import Network
internal import Store

/// Work that waits for a thread and a connection.
struct QueuedWork: Sendable {
    /// The first query of a transaction that may begin with the commit of another one; nil for
    /// other work, and for work that has waited too long.
    let firstQuery: @Sendable () -> Statement?
    let run: @Sendable (TransactionChain) -> Void
    let refuse: @Sendable () -> Void
    let askedAt: ContinuousClock.Instant
    /// Whether a commit took it along before it had waited too long. If it has to wait once more,
    /// it is not refused for that.
    fileprivate(set) var wasTakenInTime = false

    init(
        at askedAt: ContinuousClock.Instant, firstQuery: @escaping @Sendable () -> Statement?, refuse: @escaping @Sendable () -> Void,
        run: @escaping @Sendable (TransactionChain) -> Void
    ) {
        (self.askedAt, self.firstQuery, self.refuse, self.run) = (askedAt, firstQuery, refuse, run)
    }
}

/// A transaction that began in the round trip that committed another one, on its connection.
struct BegunTransaction {
    let connection: PostgreSQLConnection
    /// The first query, with its answer.
    let query: Statement
    let rows: [SQLRow]
}

/// Transactions that one thread runs one after the other on one connection. While others wait, a
/// commit takes the beginning of the next one along, so that a transaction costs one round trip.
final class TransactionChain {
    /// The most transactions of a chain. A pooler gives the server's connection to another client
    /// only between two chains.
    private static let maxLength = 16

    private let queue: WorkerQueue<QueuedWork>
    private var next: QueuedWork?
    private var begun: BegunTransaction?
    private var length = 1
    /// Whether the present work must not be refused because it has waited too long.
    private(set) var isInTime = false

    private init(_ queue: WorkerQueue<QueuedWork>) { self.queue = queue }

    /// Does work that has waited, and what follows it in its chain.
    static func run(_ first: QueuedWork, from queue: WorkerQueue<QueuedWork>) {
        let chain = TransactionChain(queue)
        chain.next = first
        while let work = chain.next {
            (chain.next, chain.isInTime) = (nil, work.wasTakenInTime)
            work.run(chain)
        }
    }

    /// Takes the transaction that has begun already.
    func takeBegun() -> BegunTransaction? {
        defer { begun = nil }
        return begun
    }

    /// Takes the work that has waited longest, if it can begin with a commit.
    func takeNext() -> (work: QueuedWork, query: Statement)? {
        guard length < Self.maxLength, var work = queue.takeWaiting() else { return nil }
        guard let query = work.firstQuery() else {
            queue.putBack(work)
            return nil
        }
        work.wasTakenInTime = true
        return (work, query)
    }

    func putBack(_ work: QueuedWork) { queue.putBack(work) }

    /// Lets this thread do `work` when the present one is finished.
    func follow(with work: QueuedWork, begun: BegunTransaction?) {
        (next, self.begun) = (work, begun)
        length += 1
    }
}
