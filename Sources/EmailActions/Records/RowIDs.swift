internal import Accounts
internal import Queues

/// Generates the row ids of codes or of mails, which grow with time and are unique in this process.
/// So new rows share pages, and no index is needed to find one.
///
/// Another process on the same store may generate the same id: for one row in 2³¹ if each
/// process creates one row per second, for one in 2²¹ if each creates a thousand. The second
/// transaction then fails as a whole, and its caller is told to try again.
package final class RowIDs: Sendable {
    private let last = Locked<Int64>(0)

    /// The number of random bits. The remaining bits hold the time in milliseconds, until 2109.
    private static let randomBits = 21

    package init() {}

    func next(at now: Timestamp, random: RandomBytes) -> Int64 {
        let millisecond = min(max(now.milliseconds, 1), 1 << (63 - Self.randomBits) - 1)
        let noise: Int64 = random(3).reduce(0) { $0 << 8 | Int64($1) } & (1 << Self.randomBits - 1)
        return last.update { last in
            last = max(last + 1, millisecond << Self.randomBits | noise)
            return last
        }
    }
}
