internal import Accounts
internal import Queues

/// Generates the row ids of codes, which grow with time and are unique in this process.
///
/// Another process on the same store may generate the same id: for one code in 2³¹ if each
/// process creates one code per second, for one in 2²¹ if each creates a thousand. The second
/// transaction then fails as a whole, and its caller is told to try again.
final class CodeRowIDs: Sendable {
    private let last = Locked<Int64>(0)

    /// The number of random bits. The remaining bits hold the time in milliseconds, until 2109.
    private static let randomBits = 21

    func next(at now: Timestamp, random: RandomBytes) -> Int64 {
        let millisecond = min(max(now.milliseconds, 1), 1 << (63 - Self.randomBits) - 1)
        let noise: Int64 = random(3).reduce(0) { $0 << 8 | Int64($1) } & (1 << Self.randomBits - 1)
        return last.update { last in
            last = max(last + 1, millisecond << Self.randomBits | noise)
            return last
        }
    }
}
