import Dispatch
import Foundation
import Synchronization

/// An executor whose thread waits in the kernel for everything that concerns its actors: descriptors, jobs, and the next deadline.
/// Whatever happens is dealt with where it is noticed, without a hop to another thread.
///
/// Before `run` and after its end it is a serial queue like `QueueExecutor`, on which jobs go on to run in their order.
/// No Dispatch source tells it of descriptors: each wake-up would cost two switches between threads, and sources that come and go on
/// several threads are not safe on Linux (swift-corelibs-libdispatch issue 949).
package final class EventLoop: SerialExecutor {
    /// What a watched descriptor is ready for.
    package struct Readiness: Sendable {
        package let descriptor: Int32
        package let canRead: Bool
        package let canWrite: Bool
        /// The other side has finished or is gone: reading tells which.
        package let isEnding: Bool
    }

    /// What follows a turn.
    package enum Next: Sendable {
        /// Another one when something happens, at the latest after so many nanoseconds (rounded up to a millisecond).
        case turn(within: UInt64)
        case end
    }

    /// What comes in for the loop. Whoever finds it asleep rings, and alone: the next one finds it woken.
    private struct Line {
        var jobs: [(job: UnownedJob, tasks: UnownedTaskExecutor?)] = []
        var isRunning = false
        var isAsleep = false
    }

    /// What is on a loop's queue never outlives the loop.
    private struct Unowned { unowned let loop: EventLoop }

    private let queue: DispatchQueue
    private let poller: Poller
    private let line = Mutex(Line())
    private static let owner = DispatchSpecificKey<Unowned>()

    /// Makes the loop, `nil` when no descriptor is left; `label` is what a debugger shows.
    package init?(label: String) {
        guard let poller = Poller() else { return nil }
        self.poller = poller
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.owner, value: Unowned(loop: self))
    }

    /// Whether the caller runs on any loop, where a hop has been saved and blocking holds up others.
    package static var isOnAny: Bool { current != nil }

    /// The loop that the caller runs on.
    static var current: EventLoop? { DispatchQueue.getSpecific(key: owner)?.loop }

    // MARK: Descriptors, which stay the caller's and leave by being ignored or closed

    /// Tells the turns whenever something changes about a descriptor, once for each change; `false` when the system refuses.
    package func watch(_ descriptor: Int32) -> Bool { poller.watch(descriptor, for: .changes) }

    /// Tells every turn that a listening socket can be read, for as long as connections wait there.
    package func watch(listening descriptor: Int32) -> Bool { poller.watch(descriptor, for: .reading) }

    /// Tells no more turns of a descriptor.
    package func ignore(_ descriptor: Int32) { poller.ignore(descriptor) }

    // MARK: Life

    /// Begins to call `turn` on the loop's thread: at once, and after each wait with what has become ready, until it wants no next.
    package func run(_ turn: @escaping @Sendable (_ ready: [Readiness]) -> Next) {
        line.withLock { $0.isRunning = true }
        // A thread of its own, which the queue borrows: Dispatch has 255, and loops keep what they have.
        Thread.detachNewThread {
            nameThread(self.queue.label)
            self.queue.sync { self.loop(turn) }
        }
    }

    private func loop(_ turn: (_ ready: [Readiness]) -> Next) {
        var ready: [Readiness] = []
        var next = turn(ready)
        while case .turn(let nanoseconds) = next {
            let isIdle = line.withLock { line in
                line.isAsleep = line.jobs.isEmpty
                return line.isAsleep
            }
            let milliseconds = nanoseconds / 1_000_000 + (nanoseconds % 1_000_000 == 0 ? 0 : 1)
            poller.wait(atMost: isIdle ? Int32(clamping: milliseconds) : 0, into: &ready)
            runJobs()
            next = turn(ready)
        }
        // What comes from here on goes to the queue, and so behind what is waiting.
        line.withLock { $0.isRunning = false }
        runJobs()
    }

    private func runJobs() {
        let jobs = line.withLock { line in
            line.isAsleep = false
            defer { line.jobs = [] }
            return line.jobs
        }
        for (job, tasks) in jobs { run(job, of: tasks) }
    }

    // MARK: The runtime's questions

    package func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), of: nil) }

    /// - Parameter tasks: nil for what runs on an actor of the loop.
    fileprivate func enqueue(_ job: UnownedJob, of tasks: UnownedTaskExecutor?) {
        // Once it stands in the line the job may run, end, and let go of the loop: who rings then has to hold it.
        let held = Unmanaged.passRetained(self)
        defer { held.release() }
        let isAsleep = line.withLock { line in
            guard line.isRunning else {
                queue.async { self.run(job, of: tasks) }
                return false
            }
            line.jobs.append((job, tasks))
            defer { line.isAsleep = false }
            return line.isAsleep
        }
        if isAsleep { poller.ring() }
    }

    private func run(_ job: UnownedJob, of tasks: UnownedTaskExecutor?) {
        if let tasks { job.runSynchronously(on: tasks) } else { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }

    /// Whether the caller runs here; the runtime asks before it lets `assumeIsolated` in.
    package func isIsolatingCurrentContext() -> Bool? { Self.current === self }

    /// Traps elsewhere; the runtime's last word when it has to explain a wrong `assumeIsolated`.
    package func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}

/// Suspends as a continuation does. On a loop, what resumes it brings the task back there at once; a continuation would be resumed on a
/// thread of Swift's pool, to find out there where it belongs.
package func suspended<Value: Sendable>(_ body: (CheckedContinuation<Value, Never>) -> Void) async -> Value {
    guard let loop = EventLoop.current else { return await withCheckedContinuation(body) }
    return await withTaskExecutorPreference(LoopTasks(of: loop)) { await withCheckedContinuation(body) }
}

/// The way to a loop for what runs on none of its actors.
private final class LoopTasks: TaskExecutor {
    private let loop: EventLoop

    init(of loop: EventLoop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(UnownedJob(job), of: asUnownedTaskExecutor()) }
}
