import Dispatch

/// Tells an actor on an executor's queue that a descriptor can be read.
package final class ReadSource: Sendable {
    // Dispatch sources are thread-safe objects; only their Swift protocol does not say so on Linux.
    private nonisolated(unsafe) let source: any DispatchSourceRead

    /// Calls `ready` on `executor`'s queue whenever `descriptor` has something to read, until `cancel`. The descriptor stays the
    /// caller's, but is closed in `cancel`'s completion and no earlier.
    package init(descriptor: Int32, on executor: QueueExecutor, ready: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: executor.queue)
        source.setEventHandler(handler: ready)
        source.resume()
    }

    /// Ends the calls; `completion` runs on the queue when Dispatch has let go of the descriptor.
    package func cancel(completion: @escaping @Sendable () -> Void) {
        source.setEventHandler(handler: nil)
        source.setCancelHandler(handler: completion)
        source.cancel()
    }
}
