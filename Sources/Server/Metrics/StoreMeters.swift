import Base
import Metrics
import Store

/// The metrics of database commits.
struct StoreMeters: Sendable {
    private let spans: Timer
    private let sizes: Recorder
    private let failures: Counter

    init(_ factory: any MetricsFactory) {
        spans = Metric.commitSpans.timer(in: factory)
        sizes = Metric.commitSizes.recorder(in: factory)
        failures = Metric.commitFailures.counter(in: factory)
    }

    func count(_ commit: Commit) {
        guard commit.isDurable else { return failures.increment() }
        spans.recordNanoseconds(commit.span.nanoseconds)
        sizes.record(commit.transactions)
    }
}
