package import Synchronization

/// Things of which each is used by one caller at a time, such as connections that read. Who finds none idle makes one, so that
/// nobody waits, and there are as many as callers were ever at it at the same moment.
package final class Pool<Thing: Sendable>: Sendable {
    package struct Closed: Error {
        @usableFromInline init() {}
    }

    /// Nil once it is closed.
    @usableFromInline let idle = Mutex<[Thing]?>([])

    package init() {}

    /// The idle thing that was used last; nil when there is none.
    @inlinable package func take() throws(Closed) -> Thing? {
        try idle.withLock { (idle) throws(Closed) in
            guard idle != nil else { throw Closed() }
            return idle?.popLast()
        }
    }

    /// Lets others have it. What is broken is not given back.
    @inlinable package func giveBack(_ thing: Thing) { idle.withLock { $0?.append(thing) } }

    /// Lets go of every idle thing, and of the others when they are given back.
    package func close() { idle.withLock { $0 = nil } }
}
