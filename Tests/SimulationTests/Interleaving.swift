import Accounts
import Base
import Store
import Synchronization
import World

/// Runs callers at the same time in an order that a seed decides: only one of them runs at a time,
/// from one of its calls of the store to the next.
final class Interleaving: Sendable {
    private struct State {
        var generator: Generator
        /// The callers that have not ended.
        var callers: Int
        /// The callers that wait for a turn, in any order.
        var waiting: [(caller: Int, turn: CheckedContinuation<Void, Never>)] = []
    }

    private let state: Mutex<State>
    private let clock: TestClock

    private init(of callers: Int, deciding generator: Generator, on clock: TestClock) {
        state = Mutex(State(generator: generator, callers: callers))
        self.clock = clock
    }

    /// Runs the callers, each with the function that waits for its next turn, and returns what they
    /// return. Time may pass before a turn.
    static func run<T: Sendable>(
        _ callers: [@Sendable (_ waitForTurn: @escaping @Sendable () async -> Void) async -> T], deciding generator: Generator,
        on clock: TestClock
    ) async -> [T] {
        let turns = Interleaving(of: callers.count, deciding: generator, on: clock)
        return await withTaskGroup(of: (Int, T).self) { group in
            for (number, caller) in callers.enumerated() {
                group.addTask {
                    await turns.wait(number)
                    let result = await caller { await turns.wait(number) }
                    turns.end()
                    return (number, result)
                }
            }
            var results: [Int: T] = [:]
            for await (number, result) in group { results[number] = result }
            return callers.indices.compactMap { results[$0] }
        }
    }

    private func wait(_ caller: Int) async {
        await withCheckedContinuation { turn in
            state.withLock { $0.waiting.append((caller, turn)) }
            proceed()
        }
    }

    private func end() {
        state.withLock { $0.callers -= 1 }
        proceed()
    }

    /// Begins the turn of one caller, if all wait.
    private func proceed() {
        let turn = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty, state.waiting.count == state.callers else { return nil }
            state.waiting.sort { $0.caller < $1.caller }
            if state.generator.next(below: 8) == 0 { clock.advance(by: .milliseconds(state.generator.next(below: 20_000))) }
            return state.waiting.remove(at: state.generator.next(below: state.waiting.count)).turn
        }
        turn?.resume()
    }
}

/// The store as one of several callers has it.
struct TurnedStorage: ForwardingStorage {
    let base: Store
    let wait: @Sendable () async -> Void

    var store: any Storage { base }

    func waitForTurn() async { await wait() }
}
