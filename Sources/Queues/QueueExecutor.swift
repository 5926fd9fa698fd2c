package import Dispatch

/// A serial Dispatch queue on which actors can live, so that a handler of a Dispatch source on that queue is inside its actor
/// already and enters by `assumeIsolated`, without a hop. (`DispatchSerialQueue` is such an executor on Apple's systems only.)
package final class QueueExecutor: SerialExecutor {
    /// The queue, for the Dispatch sources whose handlers enter the actors that live here. Never make it the target of another.
    package let queue: DispatchQueue

    private static let owner = DispatchSpecificKey<ObjectIdentifier>()

    /// Makes the queue; `label` is what a debugger shows.
    package init(label: String) {
        queue = DispatchQueue(label: label)
        queue.setSpecific(key: Self.owner, value: ObjectIdentifier(self))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// Whether the caller runs on this queue; the runtime asks before it lets `assumeIsolated` in.
    package func isIsolatingCurrentContext() -> Bool? {
        DispatchQueue.getSpecific(key: Self.owner) == ObjectIdentifier(self)
    }

    /// Traps off the queue; the runtime's last word when it has to explain a wrong `assumeIsolated`.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
