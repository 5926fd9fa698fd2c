import Base
import Metrics

/// All metrics in the text format of Prometheus, version 0.0.4.
struct Exposition: Sendable {
    /// A value that is determined when metrics are requested.
    struct Gauge: Sendable {
        let metric: Metric
        var labels = Labels.none
        let value: Double
    }

    let registry: MetricsRegistry
    let gauges: [Gauge]

    var text: String { Metric.allCases.map(family).joined() }

    /// The lines of a metric; empty if it has no series, such as certificates without TLS.
    private func family(_ metric: Metric) -> String {
        let lines =
            registry.series(of: metric).flatMap { samples(of: metric, $0, $1) }
            + gauges.filter { $0.metric == metric }.map { line(metric.name, $0.labels.text, $0.value) }
        guard !lines.isEmpty else { return "" }
        return "# HELP \(metric.name) \(metric.help)\n# TYPE \(metric.name) \(metric.kind.name)\n" + lines.joined()
    }

    private func samples(of metric: Metric, _ labels: Labels, _ series: MetricsRegistry.Series) -> [String] {
        switch (series, metric.kind) {
        case (.histogram(let series), .histogram(let ends, _)):
            let reading = series.reading
            let buckets = zip(ends, reading.upToEnds).map { (end, count) in
                line("\(metric.name)_bucket", labels.adding("le", Self.number(end)), Double(count))
            }
            return buckets + [
                line("\(metric.name)_bucket", labels.adding("le", "+Inf"), Double(reading.all)),
                line("\(metric.name)_sum", labels.text, reading.sum),
                line("\(metric.name)_count", labels.text, Double(reading.all)),
            ]
        case (.number(let series), _): return [line(metric.name, labels.text, Double(series.value))]
        case (.histogram, _): return []
        }
    }

    private func line(_ name: String, _ labels: String, _ value: Double) -> String {
        "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String { Int64(exactly: value).map { "\($0)" } ?? "\(value)" }
}

extension Metric.Kind {
    fileprivate var name: String {
        switch self {
        case .counter: "counter"
        case .gauge: "gauge"
        case .histogram: "histogram"
        }
    }
}
