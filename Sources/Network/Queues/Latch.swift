import Synchronization

/// An event that happens once: tasks wait for it, and `open` resumes them all. Later waits return
/// immediately.
public final class Latch: Sendable {
    private enum State {
        case closed([CheckedContinuation<Void, Never>])
        case open
    }

    private let state = Mutex(State.closed([]))

    public init() {}

    /// Whether `open` has been called.
    public var isOpen: Bool {
        state.withLock { if case .open = $0 { true } else { false } }
    }

    /// Resumes every waiting task. A second call has no effect.
    public func open() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .closed(let waiting) = state else { return [] }
            state = .open
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the latch is open. There is no timeout: the code that opens the latch is
    /// responsible for a deadline.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                guard case .closed(let waiting) = state else { return true }
                state = .closed(waiting + [continuation])
                return false
            }
            if isOpen { continuation.resume() }
        }
    }
}
