internal import Base

/// HTTP clients by the server, each created when it is first used. A server that does
/// not respond delays no other.
public struct HTTPClients: Sendable {
    private struct Server: Hashable {
        let base: String
        let caFile: String?
        let onlyPublic: Bool
    }

    private let clients = Locked<[Server: HTTPClient]>([:])
    private let limits: TransferLimits
    private let now: @Sendable () -> Duration
    private let circuitChanged: @Sendable (_ base: String, _ isUp: Bool) -> Void

    /// The most URLs whose clients are kept. Settings may change as often as admins like.
    private static let maxClients = 256

    /// - Parameters: as for `HTTPClient`.
    public init(
        _ limits: TransferLimits, now: @escaping @Sendable () -> Duration,
        circuitChanged: @escaping @Sendable (_ base: String, _ isUp: Bool) -> Void
    ) {
        (self.limits, self.now, self.circuitChanged) = (limits, now, circuitChanged)
    }

    /// - Parameters:
    ///   - caFile: a PEM file with the only certificates to trust; nil for the system's roots.
    ///   - isRestricted: whether connections are made to public addresses only.
    public subscript(base: String, trusting caFile: String? = nil, onlyPublic isRestricted: Bool = false) -> HTTPClient {
        let server = Server(base: base, caFile: caFile, onlyPublic: isRestricted)
        return clients.update { clients in
            if let known = clients[server] { return known }
            let new = HTTPClient(limits, caFile: caFile, onlyPublic: isRestricted, now: now) { [circuitChanged] isUp in
                circuitChanged(base, isUp)
            }
            // Those in use end with their requests.
            if clients.count >= Self.maxClients { clients.removeAll() }
            clients[server] = new
            return new
        }
    }
}
