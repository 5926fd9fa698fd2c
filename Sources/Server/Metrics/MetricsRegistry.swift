import Base
import Metrics

/// The registry of all counted series, as the backend of swift-metrics.
final class MetricsRegistry: MetricsFactory {
    enum Series: Sendable {
        case number(NumberSeries)
        case histogram(HistogramSeries)
    }

    private let families = Locked<[Metric: [Labels: Series]]>([:])

    /// The series of a metric in the order of their labels.
    func series(of metric: Metric) -> [(Labels, Series)] { (families.value[metric] ?? [:]).sorted { $0.key < $1.key } }

    func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler { number(label, dimensions) }
    func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler { number(label, dimensions) }
    func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler { histogram(label, dimensions) }

    func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        histogram(label, dimensions)
    }

    // Series are few and live as long as the process.
    func destroyCounter(_ handler: any CounterHandler) {}
    func destroyMeter(_ handler: any MeterHandler) {}
    func destroyTimer(_ handler: any TimerHandler) {}
    func destroyRecorder(_ handler: any RecorderHandler) {}

    private func number(_ label: String, _ dimensions: [(String, String)]) -> NumberSeries {
        if case .number(let series) = series(label, dimensions) { series } else { NumberSeries() }
    }

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries {
        if case .histogram(let series) = series(label, dimensions) { series } else { HistogramSeries(ends: [], scale: 1) }
    }

    /// The series of a name and labels; nil if the name is not a `Metric`, whose values are
    /// discarded.
    private func series(_ label: String, _ dimensions: [(String, String)]) -> Series? {
        guard let metric = Metric(name: label) else { return nil }
        let labels = Labels(dimensions)
        return families.update { families in
            if let known = families[metric]?[labels] { return known }
            let series: Series =
                switch metric.kind {
                case .counter, .gauge: .number(NumberSeries())
                case .histogram(let ends, let scale): .histogram(HistogramSeries(ends: ends, scale: scale))
                }
            families[metric, default: [:]][labels] = series
            return series
        }
    }
}
