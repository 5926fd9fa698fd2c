internal import HTTPTypes
package import Metrics
internal import Queues

/// What the site counts of its requests, under labels from closed sets (O7). Every handle is made here, once: counting is a look-up
/// and two additions.
package struct Meters: Sendable {
    package let codes: CodeMeters
    /// All that is known, in the text format of Prometheus.
    let exposition: @Sendable () async -> [UInt8]
    private let ofReads: [String: RouteMeter]
    private let ofOthers: [String: RouteMeter]
    private let byRoute: [Route: RouteMeter]

    /// - Parameter exposition: what `/metrics` answers.
    package init(_ factory: any MetricsFactory, codes: CodeMeters, exposition: @escaping @Sendable () async -> [UInt8]) {
        self.codes = codes
        self.exposition = exposition
        let byRoute = Dictionary(uniqueKeysWithValues: Route.all.map { ($0, RouteMeter($0, factory)) })
        ofReads = Route.exact.read.compactMapValues { byRoute[$0] }
        ofOthers = Route.exact.other.compactMapValues { byRoute[$0] }
        self.byRoute = byRoute
    }

    /// Where nobody wants to know.
    package static let none = Meters(NOOPMetricsHandler.instance, codes: CodeMeters(NOOPMetricsHandler.instance)) { [] }

    func count(_ status: HTTPResponse.Status, of request: Request, after span: Duration) {
        let exact = request.isRead ? ofReads[request.path] : ofOthers[request.path]
        let meter = exact ?? byRoute[Route(path: request.path, request.isRead ? .get : request.head.method)]
        meter?.count(status.code, after: span)
    }
}

/// The handles of one route.
private final class RouteMeter: Sendable {
    /// By class; those that say something of the installation, and not of one request, by number.
    private let answers:
        (success: Counter, redirection: Counter, refusal: Counter, tooMany: Counter, failure: Counter, unavailable: Counter)
    private let duration: Timer

    init(_ route: Route, _ factory: any MetricsFactory) {
        func counter(_ status: String) -> Counter {
            Counter(label: "onward_http_requests_total", dimensions: [("route", route.name), ("status", status)], factory: factory)
        }
        answers = (counter("2xx"), counter("3xx"), counter("4xx"), counter("429"), counter("5xx"), counter("503"))
        duration = Timer(
            label: "onward_http_request_duration_seconds", dimensions: [("kind", route.kind.rawValue)], factory: factory)
    }

    func count(_ status: Int, after span: Duration) {
        let counter =
            switch status {
            case ..<300: answers.success
            case ..<400: answers.redirection
            case 429: answers.tooMany
            case ..<500: answers.refusal
            case 503: answers.unavailable
            default: answers.failure
            }
        counter.increment()
        duration.recordNanoseconds(span.nanoseconds)
    }
}
