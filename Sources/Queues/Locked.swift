import Synchronization

/// A value that many read and few replace, such as the settings in force: whoever reads gets the latest whole one, at once.
package final class Locked<Value: Sendable>: Sendable {
    private let guarded: Mutex<Value>

    package init(_ value: Value) { guarded = Mutex(value) }

    package var value: Value { guarded.withLock { $0 } }

    /// Changes it for everyone who reads afterwards; others who change it wait, so `change` must be short.
    package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result { guarded.withLock { change(&$0) } }
}
