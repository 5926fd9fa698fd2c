import Dispatch
import Synchronization

/// A bounded pool of threads for blocking or heavy work, so that a burst of password hashes never takes the machine.
///
/// Contract: at most `width` jobs run at once; at most `maxWaiting` wait, first come first served; one more is refused at once
/// with `WorkerPool.Full`. Each hand is a serial queue of its own: Dispatch gives those a thread even while all others block.
package final class WorkerPool: Sendable {
    /// Thrown instead of waiting when the crew and its queue are full.
    package struct Full: Error {
        package init() {}
    }

    private typealias Job = @Sendable () -> Void

    private struct Roster {
        var idle: [DispatchQueue]
        var waiting: [Job] = []
    }

    private let maxWaiting: Int
    private let roster: Mutex<Roster>

    /// Makes the crew; `label` is what a debugger shows, `width` is at least one.
    package init(label: String, width: Int, maxWaiting: Int) {
        self.maxWaiting = maxWaiting
        roster = Mutex(Roster(idle: (0..<max(1, width)).map { DispatchQueue(label: "\(label).\($0)") }))
    }

    /// How many jobs wait for a hand.
    package var waitingCount: Int { roster.withLock { $0.waiting.count } }

    /// Runs `work` on the crew and returns its result, or throws what `work` throws, or `Full`.
    package func run<T: Sendable>(_ work: @Sendable @escaping () throws -> T) async throws -> T {
        let result: Result<T, any Error> = await suspended { continuation in
            let isTaken = take { continuation.resume(returning: Result(catching: work)) }
            if !isTaken { continuation.resume(returning: .failure(Full())) }
        }
        return try result.get()
    }

    private func take(_ job: @escaping Job) -> Bool {
        let hand: DispatchQueue?? = roster.withLock { roster in
            if let hand = roster.idle.popLast() { return .some(hand) }
            guard roster.waiting.count < maxWaiting else { return nil }
            roster.waiting.append(job)
            return .some(nil)
        }
        guard let hand else { return false }
        hand.map { hand in hand.async { self.work(on: hand, first: job) } }
        return true
    }

    /// Works off jobs until none waits, then goes back to the idle.
    private func work(on hand: DispatchQueue, first: @escaping Job) {
        var next: Job? = first
        while let job = next {
            job()
            next = roster.withLock { roster in
                guard roster.waiting.isEmpty else { return roster.waiting.removeFirst() }
                roster.idle.append(hand)
                return nil
            }
        }
    }
}
