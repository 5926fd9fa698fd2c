internal import Accounts
internal import Base
internal import Network
internal import Store

/// The threads on which reads or transactions run, each with one connection at a time. Work that
/// has waited too long for a thread is refused, even while all threads wait for a server that does
/// not answer (X8).
struct DatabaseWorkers: Sendable {
    private struct QueuedWork: Sendable {
        let askedAt = Uptime.now
        let run: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private static let maxWaiting = 1024

    private let queue: WorkerQueue<QueuedWork>
    private let maxWait: Duration

    init(label: String, width: Int, maxWait: Duration) {
        @Sendable func isOver(_ work: QueuedWork) -> Bool { .now - work.askedAt >= maxWait }
        self.maxWait = maxWait
        queue = WorkerQueue(
            label: label, width: width, maxWaiting: Self.maxWaiting,
            patience: .init(interval: maxWait / 4, isOver: isOver, refuse: { $0.refuse() })
        ) { work in if isOver(work) { work.refuse() } else { work.run() } }
    }

    /// The number of reads and transactions that wait for a thread.
    var waitingCount: Int { queue.waitingCount }

    func run<T: Sendable>(_ work: @escaping @Sendable () throws(ActionError) -> T) async throws(ActionError) -> T {
        let result: Result<T, ActionError> = await suspended { [maxWait] continuation in
            @Sendable func refuse(_ cause: String) {
                continuation.resume(returning: .failure(ActionError(.failed(cause: "PostgreSQL: \(cause)"))))
            }
            let isAccepted = queue.submit(
                QueuedWork(
                    run: { continuation.resume(returning: Result { () throws(ActionError) in try work() }) },
                    refuse: { refuse("no connection was free for \(maxWait)") }))
            if !isAccepted { refuse("too many transactions are waiting") }
        }
        return try result.get()
    }
}
