public import Dispatch

/// A serial Dispatch queue as an actor's executor. Code on that queue, such as the handler of a
/// Dispatch source, enters the actor with `assumeIsolated` instead of a hop.
///
/// `DispatchSerialQueue` is a `SerialExecutor` on Apple's platforms only.
public final class QueueExecutor: SerialExecutor {
    /// The queue of this executor, for Dispatch sources. It must not become the target of another.
    public let queue: DispatchQueue

    private static let owner = DispatchSpecificKey<ObjectIdentifier>()

    /// Creates the executor and its queue; `label` is the queue's name in a debugger.
    public init(label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.owner, value: ObjectIdentifier(self))
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Whether the caller runs on this queue. The runtime calls it for `assumeIsolated`.
    public func isIsolatingCurrentContext() -> Bool? {
        DispatchQueue.getSpecific(key: Self.owner) == ObjectIdentifier(self)
    }

    /// Traps if the caller does not run on this queue. The runtime calls it to report a wrong
    /// `assumeIsolated`.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
