/// A limit on the number of events in any minute, or one process's part of it. Moments are the time
/// since a fixed moment.
struct RateWindow: Sendable {
    private let span: Duration
    private let limit: Int
    /// The moments of the last events, oldest first from `oldest` on, at most `limit`.
    private var moments: [Duration] = []
    private var oldest = 0

    /// - Parameters:
    ///   - limit: events in a minute; nil for no limit.
    ///   - nodes: the number of processes that share it.
    init(_ limit: Int?, nodes: Int = 1) {
        guard let limit else {
            (self.limit, span) = (0, .zero)
            return
        }
        self.limit = max(1, limit / nodes)
        span = .seconds(60) * (self.limit * nodes) / limit
    }

    /// Counts an event now, or at the moment at which one is allowed.
    /// - Parameter patience: how late the event may be.
    /// - Returns: how long to wait; nil if it is longer than `patience`, and the event is not
    ///   counted.
    mutating func reserve(at now: Duration, patience: Duration) -> Duration? {
        guard limit > 0 else { return .zero }
        guard moments.count == limit else {
            moments.append(now)
            return .zero
        }
        let wait = max(.zero, moments[oldest] + span - now)
        guard wait <= patience else { return nil }
        moments[oldest] = now + wait
        oldest = (oldest + 1) % limit
        return wait
    }
}
