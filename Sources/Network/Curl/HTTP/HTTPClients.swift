public import Base

/// HTTP clients by the server, each created when it is first used. A server that does
/// not respond delays no other.
public struct HTTPClients: Sendable {
    private struct Server: Hashable {
        let base: String
        let caFile: String?
        let onlyPublic: Bool
    }

    /// Bounded, because settings may change as often as admins like. Clients in use end with their
    /// requests.
    private let clients = BoundedCache<Server, HTTPClient>(capacity: 256)
    private let limits: TransferLimits
    private let scope: HTTPClient.CircuitScope
    private let uptime: @Sendable () -> Uptime
    private let circuitChanged: @Sendable (_ base: String, _ isUp: Bool) -> Void

    /// - Parameters: as for `HTTPClient`.
    public init(
        _ limits: TransferLimits, scope: HTTPClient.CircuitScope = .allFailures, uptime: @escaping @Sendable () -> Uptime = { .now },
        circuitChanged: @escaping @Sendable (_ base: String, _ isUp: Bool) -> Void
    ) {
        (self.limits, self.scope, self.uptime, self.circuitChanged) = (limits, scope, uptime, circuitChanged)
    }

    /// - Parameters:
    ///   - caFile: a PEM file with the only certificates to trust; nil for the system's roots.
    ///   - isRestricted: whether connections are made to public addresses only.
    public subscript(base: String, trusting caFile: String? = nil, onlyPublic isRestricted: Bool = false) -> HTTPClient {
        let server = Server(base: base, caFile: caFile, onlyPublic: isRestricted)
        return clients[
            server,
            or: HTTPClient(limits, scope: scope, caFile: caFile, onlyPublic: isRestricted, uptime: uptime) { [circuitChanged] in
                circuitChanged(base, $0)
            }
        ]
    }
}
