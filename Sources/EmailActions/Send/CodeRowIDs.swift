internal import Accounts
internal import Queues

/// Hands out the places at which the store keeps codes: numbers that grow with time, no two alike.
///
/// Another process on the same store may hand out one of this one's: for a code in 2³¹ where each makes one in a second, in 2²¹ where each
/// makes a thousand. The transaction of the second then fails as a whole, and its caller is told to try again.
final class CodeRowIDs: Sendable {
    private let last = Locked<Int64>(0)

    /// Of what is left beside the millisecond, which fits until 2109.
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
