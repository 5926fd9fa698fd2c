import Dispatch
import Synchronization

/// A bounded queue of items that a fixed number of threads process, first come first served.
///
/// Each worker is a serial Dispatch queue, because Dispatch gives those a thread even while all
/// others block.
public final class WorkerQueue<Item: Sendable>: Sendable {
    private struct State {
        var idleWorkers: [DispatchQueue]
        var waiting: [Item] = []
    }

    private enum Placement { case run(on: DispatchQueue), waits, refused }

    private let maxWaiting: Int
    private let state: Mutex<State>
    private let process: @Sendable (Item, WorkerQueue) -> Void

    /// Creates the queue.
    /// - Parameters:
    ///   - label: the prefix of the workers' names in a debugger.
    ///   - width: the number of workers, at least one.
    ///   - maxWaiting: the number of items that may wait for a worker.
    ///   - process: processes one item, on the thread of a worker. It may call `takeWaiting` to
    ///     process a further one.
    public init(label: String, width: Int, maxWaiting: Int, process: @escaping @Sendable (_ item: Item, WorkerQueue) -> Void) {
        self.maxWaiting = maxWaiting
        self.process = process
        state = Mutex(State(idleWorkers: (0..<max(1, width)).map { DispatchQueue(label: "\(label).\($0)") }))
    }

    /// The number of items that wait for a worker.
    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Adds an item. Returns false if every worker is busy and too many items wait.
    public func submit(_ item: Item) -> Bool { place(item, atFront: false) }

    /// Takes the item that has waited longest, for `process` only; nil if none waits.
    public func takeWaiting() -> Item? { state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() } }

    /// Lets an item that was taken wait again, before all others.
    public func putBack(_ item: Item) { place(item, atFront: true) }

    @discardableResult
    private func place(_ item: Item, atFront isAtFront: Bool) -> Bool {
        let placement: Placement = state.withLock { state in
            if let worker = state.idleWorkers.popLast() { return .run(on: worker) }
            guard isAtFront || state.waiting.count < maxWaiting else { return .refused }
            state.waiting.insert(item, at: isAtFront ? 0 : state.waiting.endIndex)
            return .waits
        }
        switch placement {
        case .run(let worker): worker.async { self.work(on: worker, first: item) }
        case .waits: break
        case .refused: return false
        }
        return true
    }

    /// Processes items until none waits, then marks the worker as idle.
    private func work(on worker: DispatchQueue, first: Item) {
        var next: Item? = first
        while let item = next {
            process(item, self)
            next = state.withLock { state in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
                state.idleWorkers.append(worker)
                return nil
            }
        }
    }
}
