public import Base

/// A circuit breaker for a server: after several failures in a row it counts as down, and only one
/// request per interval is sent, to find out whether it is back.
public struct CircuitBreaker: Sendable {
    /// The number of failures in a row after which the server counts as down.
    public static let maxFailures = 5
    /// The interval between requests to a server that is down.
    public static let retryInterval = Duration.seconds(5)

    /// When the server went down, nil while it is up.
    public private(set) var downSince: Uptime?
    private var failures = 0
    private var lastAttempt = Uptime.zero
    private var interval = Self.retryInterval

    public init() {}

    /// Whether no request may be sent now.
    public func isPaused(at now: Uptime) -> Bool { downSince != nil && now - lastAttempt < interval }

    /// Whether a request may be sent. While the server is down, the admitted request is the probe.
    public mutating func allowsRequest(at now: Uptime) -> Bool {
        guard !isPaused(at: now) else { return false }
        if downSince != nil { lastAttempt = now }
        return true
    }

    /// Records a success.
    /// - Returns: whether the server was down before.
    public mutating func succeed() -> Bool {
        defer { self = CircuitBreaker() }
        return downSince != nil
    }

    /// Records a failure.
    /// - Returns: whether the server counts as down from now on.
    public mutating func fail(at now: Uptime) -> Bool {
        failures += 1
        guard failures >= Self.maxFailures, downSince == nil else { return false }
        (downSince, lastAttempt) = (now, now)
        return true
    }

    /// Records a failure that will last, such as refused credentials: the server counts as down at
    /// once, and the interval between requests is this one until a request succeeds.
    /// - Returns: whether this was not known before.
    public mutating func open(at now: Uptime, for interval: Duration) -> Bool {
        defer { (downSince, lastAttempt, self.interval) = (downSince ?? now, now, interval) }
        return downSince == nil || self.interval != interval
    }
}
