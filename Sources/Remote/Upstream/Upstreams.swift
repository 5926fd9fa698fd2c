public import Accounts
public import Base
public import Logging
public import Network

/// The clients of all upstreams of the configuration by base URL, each created when it is first
/// used. Projects with the same base URL share a client and its connections.
public struct Upstreams: Sendable {
    private let clients = Locked<[WebURL: IdentityToolkitClient]>([:])
    private let limits: TransferLimits
    private let uptime: @Sendable () -> Uptime
    private let logger: Logger

    public init(limits: TransferLimits = TransferLimits(), uptime: @escaping @Sendable () -> Uptime = { .now }, logger: Logger) {
        self.limits = limits
        self.uptime = uptime
        self.logger = logger
    }

    public subscript(base base: WebURL) -> IdentityToolkitClient {
        clients.update { clients in
            if let known = clients[base] { return known }
            let new = IdentityToolkitClient(base: base, limits: limits, uptime: uptime, logger: logger)
            clients[base] = new
            return new
        }
    }

    /// One sentence for each of these projects whose upstream is in trouble, for `/readyz`.
    public func outages(among projects: Projects) -> [String] {
        let clients = clients.value
        return projects.all.compactMap { project in
            guard let base = project.upstream?.base, let trouble = clients[base]?.trouble(of: project) else { return nil }
            return "upstream \(base.origin) of project \(project.id) \(trouble)"
        }
    }
}
