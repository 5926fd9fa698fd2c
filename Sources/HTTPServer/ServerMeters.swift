internal import Base
internal import Metrics

/// The metrics of the server's connections, handshakes and rejected requests.
struct ServerMeters: Sendable {
    /// The outcome of a TLS handshake.
    enum Handshake: Sendable, CaseIterable {
        case full, resumed
        /// The client did not speak an accepted version of TLS, or the connection ended or timed
        /// out.
        case failed
        /// The handshake was the longest when the limit of concurrent handshakes was exceeded.
        case crowdedOut
    }

    private let accepted: Counter
    private let refused: Counter
    private let open: Meter
    private let handshakes: [Handshake: Counter]
    private let rejected: [Rejection: Counter]

    init(_ factory: any MetricsFactory) {
        accepted = Metric.connectionsAccepted.counter(in: factory)
        refused = Metric.connectionsRefused.counter(in: factory)
        open = Metric.connectionsOpen.meter(in: factory)
        handshakes = Metric.handshakes.counters(in: factory) { ["outcome": "\($0)"] }
        rejected = Metric.rejected.counters(in: factory) { ["reason": "\($0)"] }
    }

    func countAccepted() {
        accepted.increment()
        open.increment()
    }

    func countClosed() { open.decrement() }

    /// Counts a connection above the limit.
    func countRefused() { refused.increment() }

    func count(_ handshake: Handshake) { handshakes[handshake]?.increment() }

    /// Counts a request that the server refused before it reached the handler.
    func count(_ rejection: Rejection) { rejected[rejection]?.increment() }
}
