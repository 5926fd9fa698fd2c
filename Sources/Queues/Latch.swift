import Synchronization

/// A door that opens once and stays open: how the parts of a shutdown wait for one another.
package final class Latch: Sendable {
    private enum State {
        case closed([CheckedContinuation<Void, Never>])
        case open
    }

    private let state = Mutex(State.closed([]))

    package init() {}

    /// Whether `open` was called; for loops that look rather than wait.
    package var isOpen: Bool {
        state.withLock { if case .open = $0 { true } else { false } }
    }

    /// Lets everyone through, now and from now on; a second call changes nothing.
    package func open() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .closed(let waiting) = state else { return [] }
            state = .open
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the latch is open. Who opens it owns the deadline.
    package func wait() async {
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
