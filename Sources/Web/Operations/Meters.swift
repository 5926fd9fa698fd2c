internal import Base
internal import HTTPTypes
public import Metrics

/// The metrics of requests, by the labels of the route table (O7). Every handle is made here, once,
/// so that counting is a lookup and two additions.
public struct Meters: Sendable {
    public let codes: CodeMeters
    /// All metrics in the text format of Prometheus.
    let exposition: @Sendable () async -> [UInt8]
    private let byLabel: [RouteLabel: RouteMeter]

    /// - Parameter exposition: the response of `/metrics`.
    public init(_ factory: any MetricsFactory, codes: CodeMeters, exposition: @escaping @Sendable () async -> [UInt8]) {
        self.codes = codes
        self.exposition = exposition
        let labels = Set(RouteTable.routes.map(\.label)).union([.unknown])
        byLabel = Dictionary(uniqueKeysWithValues: labels.map { ($0, RouteMeter($0, factory)) })
    }

    /// Counts nothing.
    public static let none = Meters(NOOPMetricsHandler.instance, codes: CodeMeters(NOOPMetricsHandler.instance)) { [] }

    func count(_ status: HTTPResponse.Status, of label: RouteLabel, after span: Duration) {
        byLabel[label]?.count(status.code, after: span)
    }
}

/// The handles of one label.
private final class RouteMeter: Sendable {
    /// The counters by class of status; 429 and 503 have separate counters, because they describe
    /// the installation and not one request.
    private let responses:
        (success: Counter, redirection: Counter, refusal: Counter, tooMany: Counter, failure: Counter, unavailable: Counter)
    private let duration: Timer

    init(_ label: RouteLabel, _ factory: any MetricsFactory) {
        func counter(_ status: String) -> Counter { Metric.requests.counter(["route": label.name, "status": status], in: factory) }
        responses = (counter("2xx"), counter("3xx"), counter("4xx"), counter("429"), counter("5xx"), counter("503"))
        duration = Metric.requestSpans.timer(["kind": label.kind.rawValue], in: factory)
    }

    func count(_ status: Int, after span: Duration) {
        let counter =
            switch status {
            case ..<300: responses.success
            case ..<400: responses.redirection
            case 429: responses.tooMany
            case ..<500: responses.refusal
            case 503: responses.unavailable
            default: responses.failure
            }
        counter.increment()
        duration.recordNanoseconds(span.nanoseconds)
    }
}
