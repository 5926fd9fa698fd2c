/// A cache of at most `capacity` values, for values that are expensive to compute. When it is full,
/// it is emptied: the values in use are computed again at once.
public struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    public let capacity: Int
    private let cached = Locked<[Key: Value]>([:])

    public init(capacity: Int) { self.capacity = capacity }

    public var count: Int { cached.value.count }

    /// - Parameter value: computes the value of `key` if it is not cached.
    public subscript(key: Key, or value: @autoclosure () -> Value) -> Value {
        if let known = cached.value[key] { return known }
        let made = value()
        cached.update { cached in
            if cached.count >= capacity { cached = [:] }
            cached[key] = made
        }
        return made
    }
}
