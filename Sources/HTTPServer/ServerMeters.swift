internal import Metrics

/// What the server counts of its connections. Every handle is made once.
struct ServerMeters: Sendable {
    /// How a TLS handshake ended.
    enum Handshake: String, Sendable, CaseIterable {
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

    init(_ factory: any MetricsFactory) {
        accepted = Counter(label: "onward_connections_accepted_total", factory: factory)
        refused = Counter(label: "onward_connections_refused_total", factory: factory)
        open = Meter(label: "onward_connections_open", factory: factory)
        handshakes = Dictionary(
            uniqueKeysWithValues: Handshake.allCases.map {
                ($0, Counter(label: "onward_tls_handshakes_total", dimensions: [("outcome", $0.rawValue)], factory: factory))
            })
    }

    func countAccepted() {
        accepted.increment()
        open.increment()
    }

    func countClosed() { open.decrement() }

    /// At the ceiling.
    func countRefused() { refused.increment() }

    func count(_ handshake: Handshake) { handshakes[handshake]?.increment() }
}
