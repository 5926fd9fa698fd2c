/// A bounded pool of threads for blocking or expensive work, such as password hashes.
///
/// At most `width` jobs run at once. At most `maxWaiting` more wait, first come first served; a
/// further job is refused with `WorkerPool.Full`.
public final class WorkerPool: Sendable {
    /// The error thrown when every worker is busy and the waiting queue is full.
    public struct Full: Error, CustomStringConvertible {
        public init() {}

        public var description: String { "too much work waits" }
    }

    private let queue: WorkerQueue<@Sendable () -> Void>

    /// Creates the pool.
    /// - Parameters:
    ///   - label: the prefix of the workers' names in a debugger.
    ///   - width: the number of workers, at least one.
    ///   - maxWaiting: the number of jobs that may wait for a worker.
    public init(label: String, width: Int, maxWaiting: Int) {
        queue = WorkerQueue(label: label, width: width, maxWaiting: maxWaiting) { $0() }
    }

    /// The number of jobs that wait for a worker.
    public var waitingCount: Int { queue.waitingCount }

    /// Runs `work` on a worker and returns its result. Throws what `work` throws, or `Full`.
    public func run<T: Sendable>(_ work: @Sendable @escaping () throws -> T) async throws -> T {
        let result: Result<T, any Error> = await suspended { continuation in
            let isAccepted = queue.submit { continuation.resume(returning: Result(catching: work)) }
            if !isAccepted { continuation.resume(returning: .failure(Full())) }
        }
        return try result.get()
    }
}
