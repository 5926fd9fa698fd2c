public import Metrics

/// The series of metrics, made by the backend of swift-metrics.
extension Metric {
    public func counter(_ labels: KeyValuePairs<String, String> = [:], in factory: any MetricsFactory) -> Counter {
        Counter(label: name, dimensions: labels.map { ($0, $1) }, factory: factory)
    }

    public func meter(in factory: any MetricsFactory) -> Meter { Meter(label: name, factory: factory) }

    public func recorder(in factory: any MetricsFactory) -> Recorder {
        Recorder(label: name, dimensions: [], aggregate: true, factory: factory)
    }

    public func timer(_ labels: KeyValuePairs<String, String> = [:], in factory: any MetricsFactory) -> Timer {
        Timer(label: name, dimensions: labels.map { ($0, $1) }, factory: factory)
    }

    /// A counter for each case of an enumeration.
    /// - Parameter labels: returns the labels of a case.
    public func counters<Case: CaseIterable & Hashable>(
        in factory: any MetricsFactory, labels: (Case) -> KeyValuePairs<String, String>
    ) -> [Case: Counter] {
        Dictionary(uniqueKeysWithValues: Case.allCases.map { ($0, counter(labels($0), in: factory)) })
    }
}
