/// The clock that stored times are compared with. It never goes back, so that a wall clock that is
/// set back revives nothing that expired (V7). It follows a large jump ahead of the wall clock only
/// after a while, so that a moment of nonsense ends nothing (decision 29).
///
/// Tokens have wall time instead, because other machines judge them.
public final class HighWaterClock: Sendable {
    /// The largest step ahead that is followed at once.
    public static let maxStep = Duration.seconds(3600)
    /// The time for which a larger step has to last before it is followed.
    public static let patience = Duration.seconds(600)

    private let wall: Now
    private let uptime: @Sendable () -> Uptime
    private let state: Locked<ClockState>

    /// - Parameter mark: the stored mark; nil if there is none yet.
    public init(after mark: ClockMark?, wall: @escaping Now, uptime: @escaping @Sendable () -> Uptime = { .now }) {
        (self.wall, self.uptime) = (wall, uptime)
        let (moment, up) = (wall(), uptime().sinceZero)
        state = Locked(
            ClockState(zero: (mark?.time ?? moment).sinceEpoch - up, hasAgreed: mark == nil, acceptances: mark?.acceptances ?? 0))
    }

    /// The current time.
    public var now: Now { { [self] in reading().time } }

    /// The confirmed current time. Unlike `now`, it does not follow a wall clock that was far ahead
    /// of the mark at the start. Deletions use it.
    public var confirmed: Now { { [self] in reading().confirmed } }

    public func reading() -> ClockReading {
        // The wall clock first: otherwise a pause between the two would be a step ahead.
        let moment = wall()
        let up = uptime().sinceZero
        return state.update { state in
            state.follow(moment.sinceEpoch - up, at: up)
            return state.reading(of: moment, at: up)
        }
    }

    /// Follows the stored mark, which other processes advance and an operator sets.
    public func follow(_ mark: ClockMark) {
        let moment = wall()
        let up = uptime().sinceZero
        state.update { state in
            if mark.acceptances == state.acceptances {
                state.zero = max(state.zero, mark.time.sinceEpoch - up)
            } else {
                state = ClockState(zero: moment.sinceEpoch - up, hasAgreed: true, acceptances: mark.acceptances)
            }
        }
    }
}

extension HighWaterClock {
    /// The state of the clock. Wall clocks are compared by the time that they would have shown at
    /// uptime zero, which changes only when they are set.
    private struct ClockState {
        /// The confirmed time at uptime zero.
        var zero: Duration
        /// Whether the wall clock has agreed with the mark since the start. A machine without a
        /// battery is behind until it knows the time.
        var hasAgreed: Bool
        /// The last acceptance by an operator that was followed.
        var acceptances: Int
        /// The jump ahead that is not followed yet.
        var jump: (zero: Duration, since: Duration)?

        mutating func follow(_ wallZero: Duration, at up: Duration) {
            if wallZero - zero > maxStep {
                guard let jump, max(wallZero - jump.zero, jump.zero - wallZero) <= maxStep else { return jump = (wallZero, up) }
                guard up - jump.since >= patience else { return }
            }
            if zero - wallZero <= ClockReading.tolerance { hasAgreed = true }
            (zero, jump) = (max(zero, wallZero), nil)
        }

        func reading(of wall: Timestamp, at up: Duration) -> ClockReading {
            let confirmed = Timestamp(milliseconds: (zero + up).milliseconds)
            let state: ClockReading.State =
                if jump == nil { confirmed - wall > ClockReading.tolerance ? .behind : .steady } else { hasAgreed ? .ahead : .unconfirmed }
            return ClockReading(wall: wall, time: state == .unconfirmed ? wall : confirmed, confirmed: confirmed, state: state)
        }
    }
}

/// The times of a moment.
public struct ClockReading: Sendable {
    public enum State: String, Sendable {
        case steady
        /// The wall clock is behind the time, because it was set back.
        case behind
        /// The wall clock jumped ahead and is not followed yet.
        case ahead
        /// The wall clock was far ahead of the mark at the start, usually because no server ran. It
        /// is followed, except for deletions.
        case unconfirmed
    }

    /// The difference below which a wall clock does not count as behind.
    public static let tolerance = Duration.seconds(10)

    public let wall: Timestamp
    public let time: Timestamp
    public let confirmed: Timestamp
    public let state: State

    /// How far the wall clock is ahead of the time; negative if it is behind.
    public var offset: Duration { wall - time }
}

/// The stored high-water mark of the clock.
public struct ClockMark: Sendable, Hashable {
    public let time: Timestamp
    /// How often an operator has accepted the wall clock.
    public let acceptances: Int

    public init(time: Timestamp, acceptances: Int) { (self.time, self.acceptances) = (time, acceptances) }
}

extension Timestamp {
    fileprivate var sinceEpoch: Duration { .milliseconds(milliseconds) }
}
