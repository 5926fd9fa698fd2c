internal import Accounts

/// Whether it is worth asking an upstream: after a row of failures it is left alone, but for one query now and then that finds out
/// whether it is back.
struct Circuit: Sendable {
    /// So many failures in a row.
    static let patience = 5
    /// Between two queries to an upstream that is down.
    static let pause = Duration.seconds(5)

    /// When it went down; nil while it is up.
    private(set) var brokenSince: Timestamp?
    private var failures = 0
    private var lastTry = Timestamp(milliseconds: 0)

    /// Whether a query may be sent; if it is down, this is the one that finds out.
    mutating func admits(at now: Timestamp) -> Bool {
        guard brokenSince != nil else { return true }
        // A clock that was set back must not keep it down.
        guard !(.zero..<Self.pause).contains(now - lastTry) else { return false }
        lastTry = now
        return true
    }

    /// - Returns: whether it was down.
    mutating func succeed() -> Bool {
        defer { self = Circuit() }
        return brokenSince != nil
    }

    /// - Returns: whether it went down by this.
    mutating func fail(at now: Timestamp) -> Bool {
        failures += 1
        guard failures >= Self.patience, brokenSince == nil else { return false }
        (brokenSince, lastTry) = (now, now)
        return true
    }
}
