public import Base

/// Generates the row ids of codes and mails. They grow with time, so that new rows share pages, and
/// no index is needed to find one.
///
/// An id is the millisecond of its creation, the number of its process, and a count. The store
/// reserves a range of ids for each process: a number for a span of time that no other process has
/// that number in. So no two processes on a database generate the same id, whatever their clocks
/// show (decision 19).
public final class RowIDs: Sendable {
    /// The ids that a process may generate: those with `number` and a millisecond from `start`
    /// until `start + span`.
    public struct Range: Sendable, Hashable {
        public let number: Int
        /// In milliseconds since 1970.
        public let start: Int64

        public init(number: Int, start: Int64) { (self.number, self.start) = (number, start) }

        /// From 0 on. One more is not reserved by anyone.
        public static let numbers = 255
        public static let span = Duration.seconds(600)
        private static let numberBits = 8
        private static let countBits = 13

        /// The position of an id in a range is its millisecond and its count.
        fileprivate func position(after elapsed: Duration) -> Int64 {
            // Until 2109.
            min(min(max(start, 1), 1 << 60) + elapsed.milliseconds, 1 << (63 - Self.numberBits - Self.countBits) - 1) << Self.countBits
        }

        fileprivate func id(at position: Int64) -> Int64 {
            let count = position & (1 << Self.countBits - 1)
            return ((position >> Self.countBits) << Self.numberBits | Int64(number)) << Self.countBits | count
        }
    }

    private struct Allocation {
        let range: Range
        let begunAt: Uptime
        /// The position of the last id.
        var last: Int64 = 0
    }

    private let uptime: @Sendable () -> Uptime
    private let allocation = Locked<Allocation?>(nil)

    public init(uptime: @escaping @Sendable () -> Uptime = { .now }) { self.uptime = uptime }

    /// Generates ids of a range from now on.
    public func use(_ range: Range) {
        let begunAt = uptime()
        allocation.update { $0 = Allocation(range: range, begunAt: begunAt) }
    }

    /// Whether a new range has to be reserved soon, or now.
    public var needsRange: Bool {
        let now = uptime()
        return allocation.value.map { now - $0.begunAt >= Range.span / 2 } ?? true
    }

    public func next() -> Int64 {
        let now = uptime()
        let id: Int64? = allocation.update { allocation in
            guard let current = allocation else { return nil }
            let elapsed = now - current.begunAt
            // If no range could be reserved in time, this one still has ids for many years.
            let position = elapsed < Range.span ? max(current.last + 1, current.range.position(after: elapsed)) : current.last + 1
            guard position < current.range.position(after: Range.span) else { return nil }
            allocation?.last = position
            return current.range.id(at: position)
        }
        return id ?? Range(number: Range.numbers, start: 0).id(at: .random(in: 1...Int64(1) << 54))
    }
}
