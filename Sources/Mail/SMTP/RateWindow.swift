/// A limit on the number of events in any minute. Moments are the time since a fixed moment.
struct RateWindow: Sendable {
    private static let span = Duration.seconds(60)

    private let limit: Int
    /// The moments of the last events, oldest first from `oldest` on, at most `limit`.
    private var moments: [Duration] = []
    private var oldest = 0

    /// - Parameter limit: events in a minute; nil for no limit.
    init(_ limit: Int?) { self.limit = limit ?? 0 }

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
        let wait = max(.zero, moments[oldest] + Self.span - now)
        guard wait <= patience else { return nil }
        moments[oldest] = now + wait
        oldest = (oldest + 1) % limit
        return wait
    }
}
