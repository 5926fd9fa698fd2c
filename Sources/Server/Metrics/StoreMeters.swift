import Base
import Metrics
import Store

/// The metrics of database commits.
struct StoreMeters: Sendable {
    private let spans: Timer
    private let sizes: Recorder
    private let failures: Counter

    init(_ factory: any MetricsFactory) {
        spans = Timer(label: Metric.commitSpans.rawValue, dimensions: [], factory: factory)
        sizes = Recorder(label: Metric.commitSizes.rawValue, dimensions: [], aggregate: true, factory: factory)
        failures = Counter(label: Metric.commitFailures.rawValue, dimensions: [], factory: factory)
    }

    func count(_ commit: Commit) {
        guard commit.isDurable else { return failures.increment() }
        spans.recordNanoseconds(commit.span.nanoseconds)
        sizes.record(commit.transactions)
    }
}
