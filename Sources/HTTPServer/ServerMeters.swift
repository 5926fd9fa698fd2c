internal import Metrics

/// What the server counts of its connections. Every handle is made once.
struct ServerMeters: Sendable {
    /// How a TLS handshake ended.
    enum Handshake: Sendable, CaseIterable {
        case full, resumed
        /// What came was no TLS that is spoken here, or the connection ended, or it took too long.
        case failed
        /// It had taken longest when there were too many.
        case crowdedOut
    }

    private let accepted: Counter
    private let refused: Counter
    private let open: Meter
    private let handshakes: [Handshake: Counter]
    private let rejected: [Rejection: Counter]

    init(_ factory: any MetricsFactory) {
        accepted = Counter(label: "onward_connections_accepted_total", factory: factory)
        refused = Counter(label: "onward_connections_refused_total", factory: factory)
        open = Meter(label: "onward_connections_open", factory: factory)
        func counters<Case: CaseIterable & Hashable>(_ label: String, by dimension: String) -> [Case: Counter] {
            Dictionary(
                uniqueKeysWithValues: Case.allCases.map {
                    ($0, Counter(label: label, dimensions: [(dimension, "\($0)")], factory: factory))
                })
        }
        handshakes = counters("onward_tls_handshakes_total", by: "outcome")
        rejected = counters("onward_http_rejected_total", by: "reason")
    }

    func countAccepted() {
        accepted.increment()
        open.increment()
    }

    func countClosed() { open.decrement() }

    /// At the ceiling.
    func countRefused() { refused.increment() }

    func count(_ handshake: Handshake) { handshakes[handshake]?.increment() }

    /// What never became a request.
    func count(_ rejection: Rejection) { rejected[rejection]?.increment() }
}
