import Dispatch
import Synchronization

/// A serial queue that works in groups: all who wait when one crossing is over go with the next, so that what a crossing costs (the
/// sync of a disk) is paid once for many.
package final class BatchQueue<Item: Sendable>: Sendable {
    private struct State {
        var waiting: [Item] = []
        var isProcessing = false
        var isClosed = false
    }

    /// Why somebody was left behind.
    package enum SubmitError: Error { case full, closed }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let maxWaiting: Int
    private let process: @Sendable ([Item]) -> Void

    /// - Parameters:
    ///   - label: what a debugger shows.
    ///   - maxWaiting: those beyond are left behind at once.
    ///   - cross: called on one queue, never twice at a time, with one passenger or more, who came in this order.
    package init(label: String, maxWaiting: Int, process: @escaping @Sendable ([Item]) -> Void) {
        queue = DispatchQueue(label: label)
        self.maxWaiting = maxWaiting
        self.process = process
    }

    /// How many wait for the next crossing.
    package var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Takes a place on the next crossing, without waiting for it.
    package func submit(_ item: Item) throws(SubmitError) {
        let begins = try state.withLock { (state) throws(SubmitError) in
            if state.isClosed { throw .closed }
            if state.waiting.count >= maxWaiting { throw .full }
            state.waiting.append(item)
            defer { state.isProcessing = true }
            return !state.isProcessing
        }
        if begins { queue.async { self.processUntilEmpty() } }
    }

    /// Lets nobody board any more, and returns when all who had are across.
    package func close() async {
        state.withLock { $0.isClosed = true }
        // The queue is serial, and whoever crosses does so until nobody waits.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func processUntilEmpty() {
        while true {
            let group = state.withLock { state in
                defer { state.waiting = [] }
                state.isProcessing = !state.waiting.isEmpty
                return state.waiting
            }
            guard !group.isEmpty else { return }
            process(group)
        }
    }
}
