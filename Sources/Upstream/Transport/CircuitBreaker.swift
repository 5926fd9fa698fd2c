internal import Accounts

/// A circuit breaker for an upstream: after several failures in a row it counts as down, and only one
/// request per interval is sent, to find out whether it is back.
struct CircuitBreaker: Sendable {
    /// The number of failures in a row after which the upstream counts as down.
    static let maxFailures = 5
    /// The interval between requests to an upstream that is down.
    static let retryInterval = Duration.seconds(5)

    /// When the upstream went down, nil while it is up.
    private(set) var downSince: Timestamp?
    private var failures = 0
    private var lastAttempt = Timestamp(milliseconds: 0)

    /// Whether a request may be sent. While the upstream is down, the admitted request is the probe.
    mutating func admits(at now: Timestamp) -> Bool {
        guard downSince != nil else { return true }
        // A `lastAttempt` in the future means that the clock was set back.
        guard !(.zero..<Self.retryInterval).contains(now - lastAttempt) else { return false }
        lastAttempt = now
        return true
    }

    /// Records a success.
    /// - Returns: whether the upstream was down before.
    mutating func succeed() -> Bool {
        defer { self = CircuitBreaker() }
        return downSince != nil
    }

    /// Records a failure.
    /// - Returns: whether the upstream counts as down from now on.
    mutating func fail(at now: Timestamp) -> Bool {
        failures += 1
        guard failures >= Self.maxFailures, downSince == nil else { return false }
        (downSince, lastAttempt) = (now, now)
        return true
    }
}
