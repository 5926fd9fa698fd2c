import Synchronization

/// Objects that are lent to one caller at a time, such as database connections. If none is idle,
/// the caller creates one, so no caller waits and the pool grows to the number of concurrent
/// callers.
public final class Pool<Object: AnyObject & Sendable>: Sendable {
    /// The error thrown by `take` after `close`.
    public struct Closed: Error {}

    /// The idle objects, nil once the pool is closed. The element type is not `Object`: the
    /// compiler does not specialise this class for other modules and would look the type up at each
    /// use.
    private let idle = Mutex<[any AnyObject & Sendable]?>([])

    public init() {}

    /// Removes and returns the idle object that was used last, nil if there is none.
    public func take() throws(Closed) -> Object? {
        let last = try idle.withLock { (idle) throws(Closed) in
            guard idle != nil else { throw Closed() }
            return idle?.popLast()
        }
        // `giveBack` is the only way in, and it takes an `Object`.
        return last.map { unsafeDowncast($0, to: Object.self) }
    }

    /// Makes an object available to the next caller. Do not return an object that is broken.
    public func giveBack(_ object: Object) { idle.withLock { $0?.append(object) } }

    /// Releases every idle object.
    public func removeIdle() { idle.withLock { $0?.removeAll() } }

    /// Releases every idle object, and each of the others when it is given back.
    public func close() { idle.withLock { $0 = nil } }
}
