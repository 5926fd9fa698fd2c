package import Accounts
package import EmailActions
package import Logging
internal import Queues
package import WebURL

/// The upstreams of an installation, each with a line of its own, made when it is first asked for. Projects with the same base share one.
package struct Upstreams: Sendable {
    private let clients = Locked<[WebURL: IdentityToolkitClient]>([:])
    private let bounds: Bounds
    private let now: Now
    private let logger: Logger

    package init(bounds: Bounds = Bounds(), now: @escaping Now, logger: Logger) {
        self.bounds = bounds
        self.now = now
        self.logger = logger
    }

    package subscript(base base: WebURL) -> IdentityToolkitClient {
        clients.update { clients in
            if let known = clients[base] { return known }
            let new = IdentityToolkitClient(base: base, bounds: bounds, now: now, logger: logger)
            clients[base] = new
            return new
        }
    }

    /// A line for each of those in force that is down, for `/readyz`.
    package func troubles(among projects: Projects) -> [String] {
        let clients = clients.value
        return Set(projects.all.compactMap(\.upstream?.base)).filter { clients[$0]?.downSince != nil }
            .map { "upstream \($0.origin) is down" }.sorted()
    }
}
