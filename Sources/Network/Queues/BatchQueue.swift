import Dispatch
import Synchronization

/// A serial queue that processes items in batches: all items submitted during one batch form the
/// next, so that a fixed cost per batch, such as the sync of a disk, is paid once for many items.
public final class BatchQueue<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [Item] = []
        var isProcessing = false
        var isClosed = false
    }

    /// The reason why an item was not accepted.
    public enum SubmitError: Error { case full, closed }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let maxWaiting: Int
    private let process: @Sendable ([Item]) -> Void

    /// Creates the queue.
    /// - Parameters:
    ///   - label: the name of the queue in a debugger.
    ///   - maxWaiting: the number of items that may wait for the next batch.
    ///   - process: processes a batch, which is not empty and in the order of submission. Calls
    ///     never overlap.
    public init(label: String, maxWaiting: Int, process: @escaping @Sendable (_ batch: [Item]) -> Void) {
        queue = DispatchQueue(label: label)
        self.maxWaiting = maxWaiting
        self.process = process
    }

    /// The number of items that wait for the next batch.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Adds an item to the next batch without waiting for it to be processed.
    public func submit(_ item: Item) throws(SubmitError) {
        try state.withLock { (state) throws(SubmitError) in
            if state.isClosed { throw .closed }
            if state.waiting.count >= maxWaiting { throw .full }
            state.waiting.append(item)
            // Under the lock, so that it is queued before the block of `close`.
            if !state.isProcessing { queue.async { self.processUntilEmpty() } }
            state.isProcessing = true
        }
    }

    /// Refuses further items, and returns when all accepted ones have been processed.
    public func close() async {
        state.withLock { $0.isClosed = true }
        // The queue is serial and `processUntilEmpty` leaves nothing waiting, so this block runs
        // last.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func processUntilEmpty() {
        while true {
            let batch = state.withLock { state in
                state.isProcessing = !state.waiting.isEmpty
                defer { state.waiting = [] }
                return state.waiting
            }
            guard !batch.isEmpty else { return }
            process(batch)
        }
    }
}
