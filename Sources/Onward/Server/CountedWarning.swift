import Logging
import Metrics
import Queues

/// Notices `X-Forwarded-For` from peers that are not trusted proxies. If a proxy is missing from
/// `trustedProxies`, all users share one address, and so its limits. Strangers may send the field
/// as well, so the warning is logged once a minute.
final class UntrustedForwarding: Sendable {
    private static let pause = Duration.seconds(60)

    private let lastWarning = Locked<ContinuousClock.Instant?>(nil)
    private let requests: Counter
    private let now: @Sendable () -> ContinuousClock.Instant
    private let logger: Logger

    init(_ factory: any MetricsFactory, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }, logger: Logger) {
        requests = Counter(label: Metric.untrustedForwarding.rawValue, dimensions: [], factory: factory)
        self.now = now
        self.logger = logger
    }

    func notice(_ peer: String) {
        requests.increment()
        let moment = now()
        let isDue = lastWarning.update { last in
            guard last.map({ moment - $0 >= Self.pause }) ?? true else { return false }
            last = moment
            return true
        }
        guard isDue else { return }
        logger.warning(
            "x-forwarded-for ignored, the peer is not in trustedProxies; behind a proxy all users share one limit",
            metadata: ["peer": "\(peer)"])
    }
}
