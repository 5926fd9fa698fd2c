import Queues

/// What was made once and will be wanted again. When it is full it begins anew: what people look at is back at once.
struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    let capacity: Int
    private let kept = Locked<[Key: Value]>([:])

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { kept.value.count }

    /// - Parameter value: what is remembered of `key` from now on, unless something is already.
    subscript(key: Key, or value: @autoclosure () -> Value) -> Value {
        if let known = kept.value[key] { return known }
        let made = value()
        kept.update { kept in
            if kept.count >= capacity { kept = [:] }
            kept[key] = made
        }
        return made
    }
}
