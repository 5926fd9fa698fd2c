import Dispatch
import Synchronization

/// A serial queue that works in groups: all who wait when one crossing is over go with the next, so that what a crossing costs (the
/// sync of a disk) is paid once for many.
package final class Ferry<Passenger: Sendable>: Sendable {
    private struct Quay {
        var waiting: [Passenger] = []
        var isCrossing = false
        var isClosed = false
    }

    /// Why somebody was left behind.
    package enum Refusal: Error { case full, closed }

    private let quay = Mutex(Quay())
    private let queue: DispatchQueue
    private let maxWaiting: Int
    private let cross: @Sendable ([Passenger]) -> Void

    /// - Parameters:
    ///   - label: what a debugger shows.
    ///   - maxWaiting: those beyond are left behind at once.
    ///   - cross: called on one queue, never twice at a time, with one passenger or more, who came in this order.
    package init(label: String, maxWaiting: Int, cross: @escaping @Sendable ([Passenger]) -> Void) {
        queue = DispatchQueue(label: label)
        self.maxWaiting = maxWaiting
        self.cross = cross
    }

    /// How many wait for the next crossing.
    package var waitingCount: Int { quay.withLock { $0.waiting.count } }

    /// Takes a place on the next crossing, without waiting for it.
    package func board(_ passenger: Passenger) throws(Refusal) {
        let begins = try quay.withLock { (quay) throws(Refusal) in
            if quay.isClosed { throw .closed }
            if quay.waiting.count >= maxWaiting { throw .full }
            quay.waiting.append(passenger)
            defer { quay.isCrossing = true }
            return !quay.isCrossing
        }
        if begins { queue.async { self.crossUntilNobodyWaits() } }
    }

    /// Lets nobody board any more, and returns when all who had are across.
    package func close() async {
        quay.withLock { $0.isClosed = true }
        // The queue is serial, and whoever crosses does so until nobody waits.
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func crossUntilNobodyWaits() {
        while true {
            let group = quay.withLock { quay in
                defer { quay.waiting = [] }
                quay.isCrossing = !quay.waiting.isEmpty
                return quay.waiting
            }
            guard !group.isEmpty else { return }
            cross(group)
        }
    }
}
