/// A cache of at most `capacity` values, two or more, which threads share. Values may have a
/// lifetime from when they were added.
///
/// Values are in two generations. A new generation begins when half of the capacity was added or
/// used, or a lifetime has passed; values that were not used since the one before are dropped then.
/// So half of the capacity is surely kept.
public struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let value: Value
        let addedAt: Uptime
    }

    private struct Generations: Sendable {
        var current: [Key: Entry] = [:]
        var former: [Key: Entry] = [:]
        var begunAt = Uptime.zero
    }

    public let capacity: Int
    private let lifetime: Duration?
    private let generations = Locked(Generations())

    /// - Parameter lifetime: nil: values are only dropped for others.
    public init(capacity: Int, lifetime: Duration? = nil) { (self.capacity, self.lifetime) = (capacity, lifetime) }

    public var count: Int { generations.update { $0.current.count + $0.former.count } }

    /// The value of a key.
    /// - Parameter now: is ignored if values have no lifetime.
    public subscript(key: Key, at now: Uptime = .zero) -> Value? { generations.update { entry(of: key, in: &$0, at: now)?.value } }

    /// The value of a key, computed if it is not cached. Threads that compute it at the same time
    /// all get the value of the first.
    public subscript(key: Key, at now: Uptime = .zero, or value: @autoclosure () -> Value) -> Value {
        if let known = self[key, at: now] { return known }
        let made = value()
        return generations.update { generations in
            if let known = entry(of: key, in: &generations, at: now) { return known.value }
            add(Entry(value: made, addedAt: now), of: key, to: &generations, at: now)
            return made
        }
    }

    /// Adds a value, or replaces that of the key.
    /// - Parameter now: the begin of its lifetime.
    public func add(_ value: Value, of key: Key, at now: Uptime = .zero) {
        generations.update { add(Entry(value: value, addedAt: now), of: key, to: &$0, at: now) }
    }

    private func entry(of key: Key, in generations: inout Generations, at now: Uptime) -> Entry? {
        let current = generations.current[key]
        guard let entry = current ?? generations.former[key], lifetime.map({ now - entry.addedAt < $0 }) ?? true else { return nil }
        if current == nil { add(entry, of: key, to: &generations, at: now) }
        return entry
    }

    private func add(_ entry: Entry, of key: Key, to generations: inout Generations, at now: Uptime) {
        if generations.current.count >= max(1, capacity / 2) || lifetime.map({ now - generations.begunAt >= $0 }) ?? false {
            generations = Generations(former: generations.current, begunAt: now)
        }
        generations.former[key] = nil
        generations.current[key] = entry
    }
}
