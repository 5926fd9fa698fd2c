import Synchronization

/// An integer that any thread may change and read. Changes are atomic and impose no memory
/// ordering.
package final class AtomicCounter: Sendable {
    private let number = Atomic<Int64>(0)

    package init() {}

    /// Adds `amount`, which may be negative. The sum wraps around on overflow.
    package func add(_ amount: Int64 = 1) { number.wrappingAdd(amount, ordering: .relaxed) }

    package func set(_ value: Int64) { number.store(value, ordering: .relaxed) }

    package var value: Int64 { number.load(ordering: .relaxed) }
}
