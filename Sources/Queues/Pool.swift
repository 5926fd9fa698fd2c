import Synchronization

/// Things of which each is used by one caller at a time, such as connections that read. Who finds none idle makes one, so that
/// nobody waits, and there are as many as callers were ever at it at the same moment.
package final class Pool<Thing: AnyObject & Sendable>: Sendable {
    package struct Closed: Error {}

    /// Nil once it is closed. Not of the type `Thing`, which would be looked up at each use: the compiler does not specialise this class
    /// for other modules.
    private let idle = Mutex<[any AnyObject & Sendable]?>([])

    package init() {}

    /// The idle thing that was used last; nil when there is none.
    package func take() throws(Closed) -> Thing? {
        let last = try idle.withLock { (idle) throws(Closed) in
            guard idle != nil else { throw Closed() }
            return idle?.popLast()
        }
        // Only things come in.
        return last.map { unsafeDowncast($0, to: Thing.self) }
    }

    /// Lets others have it. What is broken is not given back.
    package func giveBack(_ thing: Thing) { idle.withLock { $0?.append(thing) } }

    /// Lets go of every idle thing, and of the others when they are given back.
    package func close() { idle.withLock { $0 = nil } }
}
