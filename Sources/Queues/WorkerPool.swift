import Dispatch
import Synchronization

/// A bounded pool of threads for blocking or expensive work, such as password hashes.
///
/// At most `width` jobs run at once. At most `maxWaiting` more wait, first come first served; a
/// further job is refused with `WorkerPool.Full`. Each worker is a serial Dispatch queue, because
/// Dispatch gives those a thread even while all others block.
public final class WorkerPool: Sendable {
    /// The error thrown when every worker is busy and the waiting queue is full.
    public struct Full: Error, CustomStringConvertible {
        public init() {}

        public var description: String { "too much work waits" }
    }

    private typealias Work = @Sendable () -> Void

    private struct State {
        var idleWorkers: [DispatchQueue]
        var waiting: [Work] = []
    }

    private enum Placement { case run(on: DispatchQueue), waits, refused }

    private let maxWaiting: Int
    private let state: Mutex<State>

    /// Creates the pool.
    /// - Parameters:
    ///   - label: the prefix of the workers' names in a debugger.
    ///   - width: the number of workers, at least one.
    ///   - maxWaiting: the number of jobs that may wait for a worker.
    public init(label: String, width: Int, maxWaiting: Int) {
        self.maxWaiting = maxWaiting
        state = Mutex(State(idleWorkers: (0..<max(1, width)).map { DispatchQueue(label: "\(label).\($0)") }))
    }

    /// The number of jobs that wait for a worker.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Runs `work` on a worker and returns its result. Throws what `work` throws, or `Full`.
    public func run<T: Sendable>(_ work: @Sendable @escaping () throws -> T) async throws -> T {
        let result: Result<T, any Error> = await suspended { continuation in
            let isAccepted = submit { continuation.resume(returning: Result(catching: work)) }
            if !isAccepted { continuation.resume(returning: .failure(Full())) }
        }
        return try result.get()
    }

    private func submit(_ work: @escaping Work) -> Bool {
        let placement: Placement = state.withLock { state in
            if let worker = state.idleWorkers.popLast() { return .run(on: worker) }
            guard state.waiting.count < maxWaiting else { return .refused }
            state.waiting.append(work)
            return .waits
        }
        switch placement {
        case .run(let worker): worker.async { self.runJobs(on: worker, first: work) }
        case .waits: break
        case .refused: return false
        }
        return true
    }

    /// Runs jobs until none waits, then marks the worker as idle.
    private func runJobs(on worker: DispatchQueue, first: @escaping Work) {
        var next: Work? = first
        while let work = next {
            work()
            next = state.withLock { state in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.idleWorkers.append(worker)
                return nil
            }
        }
    }
}
