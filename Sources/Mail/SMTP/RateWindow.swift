internal import Base

/// A limit on the number of events in any minute, or one node's share of it.
///
/// It is not a `TokenBucket`: after a pause that would let nearly twice as many through within a
/// minute, and a relay may refuse what exceeds its rate.
struct RateWindow: Sendable {
    private let allowance: Allowance?
    /// The moments of the last events, oldest first from `oldest` on, at most as many as allowed.
    private var moments: [Uptime] = []
    private var oldest = 0

    /// - Parameters:
    ///   - limit: events in a minute; nil for no limit.
    ///   - nodes: the number of processes that share it.
    init(_ limit: Int?, nodes: Int = 1) { allowance = limit.map { Allowance($0, per: .minutes(1)).share(of: nodes) } }

    /// Counts an event now, or at the moment at which one is allowed.
    /// - Parameter patience: how late the event may be.
    /// - Returns: how long to wait; nil if it is longer than `patience`, and the event is not
    ///   counted.
    mutating func reserve(at now: Uptime, patience: Duration) -> Duration? {
        guard let allowance else { return .zero }
        guard moments.count == allowance.count else {
            moments.append(now)
            return .zero
        }
        let wait = max(.zero, moments[oldest] + allowance.span - now)
        guard wait <= patience else { return nil }
        moments[oldest] = now + wait
        oldest = (oldest + 1) % allowance.count
        return wait
    }
}
