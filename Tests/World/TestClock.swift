import Accounts
package import Base
import Synchronization

/// A clock that only the test advances.
package final class TestClock: Sendable {
    private let moment = Mutex(Timestamp(seconds: 1_800_000_000))
    private let jumped = Mutex(Duration.zero)

    package init() {}

    package var now: Now { { [self] in moment.withLock { $0 } } }

    package var uptime: @Sendable () -> Uptime { { [self] in Uptime(.milliseconds(now().milliseconds) - jumped.withLock { $0 }) } }

    package func advance(by span: Duration) { moment.withLock { $0 = $0 + span } }

    /// Sets the clock forward, or back if the span is negative. The uptime does not jump.
    package func jump(by span: Duration) {
        moment.withLock { $0 = $0 + span }
        jumped.withLock { $0 += span }
    }
}

/// Random bytes that never repeat within a test and are the same in every run.
package final class CountingRandom: Sendable {
    private let count = Mutex<UInt64>(0)

    package var bytes: RandomBytes {
        { [self] length in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return (0..<length).map { UInt8(truncatingIfNeeded: (number &* 0x9e37_79b9_7f4a_7c15 &+ UInt64($0)) >> (8 * (UInt64($0) % 8))) }
        }
    }
}
