public import Synchronization

/// A value that is protected by a lock, such as the configuration in force. Each read returns the
/// latest complete value.
public final class Locked<Value: Sendable>: Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable public init(_ value: Value) { mutex = Mutex(value) }

    @inlinable public var value: Value { mutex.withLock { $0 } }

    /// Changes the value under the lock and returns the result of `change`, which must be short and
    /// must not use this value again.
    @inlinable public func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result { mutex.withLock { change(&$0) } }
}
