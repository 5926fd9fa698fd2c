import Dispatch
import Foundation
import Synchronization

/// An actor executor with its own thread, which waits in epoll for descriptors, jobs of its actors,
/// and the next deadline. Each event is handled on that thread, without a hop.
///
/// Before `run` and after its end it behaves as a serial Dispatch queue, so that jobs of its actors
/// still run, in their order. Descriptors are not watched by Dispatch sources: each wake-up would
/// cost two thread switches, and sources that are made and cancelled on several threads are not
/// safe on Linux (swift-corelibs-libdispatch issue 949).
public final class EventLoop: SerialExecutor {
    /// A watched descriptor with what it is ready for.
    public struct ReadyDescriptor: Sendable {
        public let descriptor: Int32
        public let canRead: Bool
        public let canWrite: Bool
        /// Whether the peer has shut down or is gone; a read tells which of the two.
        public let isEnding: Bool
    }

    /// The loop's next step after a turn.
    public enum TurnResult: Sendable {
        /// Takes the next turn when an event occurs, or after this many nanoseconds (rounded up to
        /// a millisecond).
        case wait(atMost: UInt64)
        case stop
    }

    /// A piece of work that another thread leaves for the loop.
    fileprivate enum Pending {
        /// A job of an actor of this loop, or of a task executor.
        case job(UnownedJob, of: UnownedTaskExecutor?)
        case work(@Sendable () -> Void)
    }

    /// The state that other threads change. Only the thread that finds the loop asleep wakes it up.
    private struct State {
        var pending: [Pending] = []
        var isRunning = false
        var isAsleep = false
    }

    /// The reference from the queue to its loop, which would otherwise form a cycle.
    private struct Unowned { unowned let loop: EventLoop }

    private let queue: DispatchQueue
    private let poller: Poller
    private let state = Mutex(State())
    private static let owner = DispatchSpecificKey<Unowned>()

    /// Creates the loop; nil if the process has no descriptor left. `label` names the thread.
    public init?(label: String) {
        guard let poller = Poller() else { return nil }
        self.poller = poller
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.owner, value: Unowned(loop: self))
    }

    /// Whether the caller runs on any event loop, where it must not block.
    public static var isOnAny: Bool { current != nil }

    /// The loop that the caller runs on.
    static var current: EventLoop? { DispatchQueue.getSpecific(key: owner)?.loop }

    // MARK: Descriptors, which belong to the caller; closing one ends its watch

    /// Reports every change of the descriptor to one turn; returns false if the system refuses.
    public func watch(_ descriptor: Int32) -> Bool { poller.watch(descriptor, for: .changes) }

    /// Reports a listening socket to every turn for as long as connections wait in its accept
    /// queue.
    public func watch(listening descriptor: Int32) -> Bool { poller.watch(descriptor, for: .readability) }

    /// Reports the descriptor to every turn for as long as it is ready for what is asked for, which
    /// replaces what was asked for before.
    public func watch(_ descriptor: Int32, reading: Bool, writing: Bool) -> Bool {
        poller.watch(descriptor, for: .readiness(reading: reading, writing: writing))
    }

    /// Stops to report the descriptor.
    public func ignore(_ descriptor: Int32) { poller.ignore(descriptor) }

    // MARK: Running

    /// Starts the thread, which calls `turn` immediately and after each wait until it returns
    /// `.stop`.
    public func run(_ turn: @escaping @Sendable (_ ready: [ReadyDescriptor]) -> TurnResult) {
        state.withLock { $0.isRunning = true }
        // The thread is not one of Dispatch's 255, since a loop would never return it.
        Thread.detachNewThread {
            nameThread(self.queue.label)
            self.queue.sync { self.loop(turn) }
        }
    }

    private func loop(_ turn: (_ ready: [ReadyDescriptor]) -> TurnResult) {
        var ready: [ReadyDescriptor] = []
        var result = turn(ready)
        while case .wait(let nanoseconds) = result {
            let isIdle = state.withLock { state in
                state.isAsleep = state.pending.isEmpty
                return state.isAsleep
            }
            let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
            poller.wait(atMost: isIdle ? Int32(clamping: milliseconds) : 0, into: &ready)
            runPending()
            result = turn(ready)
        }
        // Later jobs go to the Dispatch queue, behind this block and so behind the pending ones.
        state.withLock { $0.isRunning = false }
        runPending()
    }

    private func runPending() {
        let pending = state.withLock { state in
            state.isAsleep = false
            defer { state.pending = [] }
            return state.pending
        }
        for next in pending { run(next) }
    }

    /// Runs `work` on the loop, before its next turn.
    public func submit(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

    // MARK: SerialExecutor

    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job), of: nil)) }

    fileprivate func add(_ new: Pending) {
        // As soon as it is pending, the job may run and release the loop, which `wakeUp` still
        // needs.
        let retained = Unmanaged.passRetained(self)
        defer { retained.release() }
        let wasAsleep = state.withLock { state in
            guard state.isRunning else {
                queue.async { self.run(new) }
                return false
            }
            state.pending.append(new)
            defer { state.isAsleep = false }
            return state.isAsleep
        }
        if wasAsleep { poller.wakeUp() }
    }

    private func run(_ pending: Pending) {
        switch pending {
        case .job(let job, let taskExecutor?): job.runSynchronously(on: taskExecutor)
        case .job(let job, nil): job.runSynchronously(on: asUnownedSerialExecutor())
        case .work(let work): work()
        }
    }

    /// Whether the caller runs on this loop. The runtime calls it for `assumeIsolated`.
    public func isIsolatingCurrentContext() -> Bool? { Self.current === self }

    /// Traps if the caller does not run on this loop. The runtime calls it to report a wrong
    /// `assumeIsolated`.
    public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

/// Suspends like `withCheckedContinuation`, but a task suspended on an event loop resumes directly
/// on that loop. A plain continuation would first resume on a thread of Swift's global pool.
public func suspended<Value: Sendable>(_ body: (CheckedContinuation<Value, Never>) -> Void) async -> Value {
    guard let loop = EventLoop.current else { return await withCheckedContinuation(body) }
    return await withTaskExecutorPreference(EventLoopTaskExecutor(loop)) { await withCheckedContinuation(body) }
}

/// A task executor that runs nonisolated code on an event loop.
private final class EventLoopTaskExecutor: TaskExecutor {
    private let loop: EventLoop

    init(_ loop: EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { loop.add(.job(UnownedJob(job), of: asUnownedTaskExecutor())) }
}
