import Base
import Dispatch
import Synchronization

/// A bounded queue of items that a fixed number of threads process, first come first served.
///
/// Each worker is a serial Dispatch queue, because Dispatch gives those a thread even while all
/// others block.
public final class WorkerQueue<Item: Sendable>: Sendable {
    /// The end of an item's wait, also while no worker becomes free.
    public struct Patience: Sendable {
        let interval: Duration
        let isOver: @Sendable (Item) -> Bool
        let refuse: @Sendable (Item) -> Void

        /// - Parameters:
        ///   - interval: the time between two looks at the items that wait.
        ///   - isOver: whether an item has waited too long.
        ///   - refuse: called with each such item, which is not processed.
        public init(
            interval: Duration, isOver: @escaping @Sendable (Item) -> Bool, refuse: @escaping @Sendable (Item) -> Void
        ) {
            (self.interval, self.isOver, self.refuse) = (interval, isOver, refuse)
        }
    }

    private struct State {
        var idleWorkers: [DispatchQueue]
        var waiting: [Item] = []
        var isWatched = false
    }

    private enum Placement { case run(on: DispatchQueue), waits(isFirst: Bool), refused }

    private let maxWaiting: Int
    private let patience: Patience?
    private let state: Mutex<State>
    private let process: @Sendable (Item) -> Void

    /// Creates the queue.
    /// - Parameters:
    ///   - label: the prefix of the workers' names in a debugger.
    ///   - width: the number of workers, at least one.
    ///   - maxWaiting: the number of items that may wait for a worker.
    ///   - patience: nil if items wait for as long as it takes.
    ///   - process: processes one item, on the thread of a worker.
    public init(
        label: String, width: Int, maxWaiting: Int, patience: Patience? = nil, process: @escaping @Sendable (_ item: Item) -> Void
    ) {
        (self.maxWaiting, self.patience) = (maxWaiting, patience)
        self.process = process
        state = Mutex(State(idleWorkers: (0..<max(1, width)).map { DispatchQueue(label: "\(label).\($0)") }))
    }

    /// The number of items that wait for a worker.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Adds an item. Returns false if every worker is busy and too many items wait.
    public func submit(_ item: Item) -> Bool {
        let placement: Placement = state.withLock { state in
            if let worker = state.idleWorkers.popLast() { return .run(on: worker) }
            guard state.waiting.count < maxWaiting else { return .refused }
            state.waiting.append(item)
            defer { state.isWatched = true }
            return .waits(isFirst: !state.isWatched)
        }
        switch placement {
        case .run(let worker): worker.async { self.work(on: worker, first: item) }
        case .waits(let isFirst): if isFirst { watch() }
        case .refused: return false
        }
        return true
    }

    /// Refuses items that have waited too long, until none waits.
    private func watch() {
        guard let patience else { return }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .nanoseconds(Int(patience.interval.nanoseconds))) {
            let (over, isWatched) = self.state.withLock { state in
                var over: [Item] = []
                state.waiting.removeAll { item in
                    let isOver = patience.isOver(item)
                    if isOver { over.append(item) }
                    return isOver
                }
                state.isWatched = !state.waiting.isEmpty
                return (over, state.isWatched)
            }
            over.forEach(patience.refuse)
            if isWatched { self.watch() }
        }
    }

    /// Processes items until none waits, then marks the worker as idle.
    private func work(on worker: DispatchQueue, first: Item) {
        var next: Item? = first
        while let item = next {
            process(item)
            next = state.withLock { state in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.idleWorkers.append(worker)
                return nil
            }
        }
    }
}
