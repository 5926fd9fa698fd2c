import Dispatch
import Synchronization

/// A serial queue that processes items in batches: all items submitted during one batch form the
/// next, so that a fixed cost per batch, such as the sync of a disk, is paid once for many items.
public final class BatchQueue<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [Item] = []
        var isProcessing = false
        var isClosed = false

        mutating func takeBatch(atMost count: Int) -> [Item] {
            guard waiting.count > count else {
                defer { waiting = [] }
                return waiting
            }
            defer { waiting.removeFirst(count) }
            return Array(waiting.prefix(count))
        }
    }

    /// The reason why an item was not accepted.
    public enum SubmitError: Error { case full, closed }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let maxWaiting, maxBatch: Int
    private let process: @Sendable ([Item], BatchQueue) -> Void

    /// Creates the queue.
    /// - Parameters:
    ///   - label: the name of the queue in a debugger.
    ///   - maxWaiting: the number of items that may wait for the next batch.
    ///   - maxBatch: the largest number of items of a batch.
    ///   - process: processes a batch, which is not empty and in the order of submission. Calls
    ///     never overlap. It may call `takeBatch` to start the next batch before it returns.
    public init(
        label: String, maxWaiting: Int, maxBatch: Int = .max, process: @escaping @Sendable (_ batch: [Item], BatchQueue) -> Void
    ) {
        queue = DispatchQueue(label: label)
        (self.maxWaiting, self.maxBatch) = (maxWaiting, maxBatch)
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

    /// Takes the next batch, for `process` only; empty if no item waits.
    public func takeBatch() -> [Item] { state.withLock { $0.takeBatch(atMost: maxBatch) } }

    private func processUntilEmpty() {
        while true {
            let batch = state.withLock { state in
                state.isProcessing = !state.waiting.isEmpty
                return state.takeBatch(atMost: maxBatch)
            }
            guard !batch.isEmpty else { return }
            process(batch, self)
        }
    }
}
