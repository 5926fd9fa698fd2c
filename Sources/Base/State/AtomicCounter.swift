import Synchronization

/// An integer that any thread may change and read. Changes are atomic and impose no memory
/// ordering.
public final class AtomicCounter: Sendable {
    private let number = Atomic<Int64>(0)

    public init() {}

    /// Adds `amount`, which may be negative, and returns the sum, which wraps around on overflow.
    @discardableResult public func add(_ amount: Int64 = 1) -> Int64 { number.wrappingAdd(amount, ordering: .relaxed).newValue }

    /// Sets the value if it is lower.
    public func raise(to value: Int64) { number.max(value, ordering: .relaxed) }

    /// Sets the value and returns the one before.
    public func exchange(_ value: Int64) -> Int64 { number.exchange(value, ordering: .relaxed) }

    public func set(_ value: Int64) { number.store(value, ordering: .relaxed) }

    public var value: Int64 { number.load(ordering: .relaxed) }
}
