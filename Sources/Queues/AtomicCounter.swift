import Synchronization

/// A number that every thread adds to and somebody reads now and then: adding costs one instruction and orders nothing else.
package final class AtomicCounter: Sendable {
    private let number = Atomic<Int64>(0)

    package init() {}

    /// - Parameter amount: may be negative; wraps around after centuries.
    package func add(_ amount: Int64 = 1) { number.wrappingAdd(amount, ordering: .relaxed) }

    package func set(_ value: Int64) { number.store(value, ordering: .relaxed) }

    package var value: Int64 { number.load(ordering: .relaxed) }
}
