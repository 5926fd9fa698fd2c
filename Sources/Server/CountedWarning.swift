import Base
import Logging
import Metrics

/// A warning about requests that strangers may send as well. Each is counted, and the warning is
/// logged once a minute.
final class CountedWarning: Sendable {
    private static let pause = Duration.seconds(60)

    private let message: Logger.Message
    private let lastWarning = Locked<Uptime?>(nil)
    private let requests: Counter
    private let now: @Sendable () -> Uptime
    private let logger: Logger

    init(
        _ message: Logger.Message, counting metric: Metric, in factory: any MetricsFactory,
        now: @escaping @Sendable () -> Uptime = { .now }, logger: Logger
    ) {
        self.message = message
        requests = metric.counter(in: factory)
        self.now = now
        self.logger = logger
    }

    func notice(_ metadata: @autoclosure () -> Logger.Metadata) {
        requests.increment()
        let moment = now()
        let isDue = lastWarning.update { last in
            guard last.map({ moment - $0 >= Self.pause }) ?? true else { return false }
            last = moment
            return true
        }
        if isDue { logger.warning(message, metadata: metadata()) }
    }
}

extension CountedWarning {
    /// `X-Forwarded-For` from a peer that is no trusted proxy: if a proxy is missing from
    /// `trustedProxies`, all users share one address, and so its limits.
    static func untrustedForwarding(_ factory: any MetricsFactory, logger: Logger) -> CountedWarning {
        CountedWarning(
            "x-forwarded-for ignored, the peer is not in trustedProxies; behind a proxy all users share one limit",
            counting: .untrustedForwarding, in: factory, logger: logger)
    }

    /// A request for a host that is not configured (421): a proxy may not pass `Host` on.
    static func misdirectedRequests(_ factory: any MetricsFactory, logger: Logger) -> CountedWarning {
        CountedWarning(
            "request refused, its host is not one of this server's; a proxy has to pass Host on", counting: .misdirectedRequests,
            in: factory, logger: logger)
    }
}
