internal import Queues

/// HTTP clients by the URL of their server, each created when it is first used. A server that does
/// not respond delays no other.
package struct HTTPClients: Sendable {
    private let clients = Locked<[String: HTTPClient]>([:])
    private let label: String
    private let limits: TransferLimits
    private let now: @Sendable () -> Duration
    private let circuitChanged: @Sendable (_ base: String, _ isUp: Bool) -> Void

    /// The most URLs of which clients are kept. Settings may change as often as admins like.
    private static let maxClients = 256

    /// - Parameters: as for `HTTPClient`.
    package init(
        label: String, _ limits: TransferLimits, now: @escaping @Sendable () -> Duration,
        circuitChanged: @escaping @Sendable (_ base: String, _ isUp: Bool) -> Void
    ) {
        (self.label, self.limits, self.now, self.circuitChanged) = (label, limits, now, circuitChanged)
    }

    package subscript(base: String) -> HTTPClient {
        clients.update { clients in
            if let known = clients[base] { return known }
            let new = HTTPClient(label: label, limits, now: now) { [circuitChanged] in circuitChanged(base, $0) }
            // Those in use end with their requests.
            if clients.count >= Self.maxClients { clients.removeAll() }
            clients[base] = new
            return new
        }
    }
}
