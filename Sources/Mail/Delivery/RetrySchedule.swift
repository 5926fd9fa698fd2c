internal import Accounts
internal import Base

/// The times at which a mail that a relay did not take is tried again.
public struct RetrySchedule: Sendable, Hashable {
    /// The wait after the first attempt; each further wait is three times as long.
    public var first = Duration.seconds(10)
    public var longest = Duration.hours(2)
    /// The age from which a mail is not tried any more.
    public var giveUpAfter = Duration.days(2)

    public init() {}

    /// The wait after an attempt.
    /// - Parameters:
    ///   - attempt: the number of the attempt, from 1.
    ///   - jitter: from 0 to 1, at random, so that mails which failed together do not return
    ///     together.
    public func wait(afterAttempt attempt: Int, jitter: Double) -> Duration {
        var wait = first
        for _ in 1..<max(1, min(attempt, 20)) where wait < longest { wait *= 3 }
        return min(wait, longest) * (0.75 + jitter / 2)
    }
}
