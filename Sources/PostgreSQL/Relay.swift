internal import Queues
internal import Store

/// Work that waits for a thread and a connection.
struct QueuedWork: Sendable {
    /// The first query of a transaction that may begin with the commit of another one; nil for
    /// other work.
    let firstQuery: @Sendable () -> Statement?
    let run: @Sendable (Relay) -> Void
}

/// A transaction that began in the round trip that committed another one, on its connection.
struct BegunTransaction {
    let connection: PostgreSQLConnection
    /// The first query, with its answer.
    let query: Statement
    let rows: [SQLRow]
}

/// The works that one thread does one after the other. While more work waits than there are
/// connections, each commit takes the beginning of the next transaction along, so that a
/// transaction costs one round trip.
final class Relay {
    private let queue: WorkerQueue<QueuedWork>
    private var next: QueuedWork?
    private var begun: BegunTransaction?

    private init(_ queue: WorkerQueue<QueuedWork>) { self.queue = queue }

    /// Does work that has waited, and what it began.
    static func run(_ first: QueuedWork, from queue: WorkerQueue<QueuedWork>) {
        let relay = Relay(queue)
        relay.next = first
        while let work = relay.next {
            relay.next = nil
            work.run(relay)
        }
    }

    var hasBegun: Bool { begun != nil }

    /// Takes the transaction that has begun already.
    func takeBegun() -> BegunTransaction? {
        defer { begun = nil }
        return begun
    }

    /// Takes the work that has waited longest, if it can begin with a commit.
    func takeNext() -> (work: QueuedWork, query: Statement)? {
        guard let work = queue.takeWaiting() else { return nil }
        if let query = work.firstQuery() { return (work, query) }
        queue.putBack(work)
        return nil
    }

    func putBack(_ work: QueuedWork) { queue.putBack(work) }

    /// Lets this thread do `work` when the present one is finished.
    func follow(with work: QueuedWork, begun: BegunTransaction?) { (next, self.begun) = (work, begun) }
}
