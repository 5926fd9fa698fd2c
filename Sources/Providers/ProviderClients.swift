package import Accounts
internal import Curl
package import Logging
internal import Queues

/// The server of a provider, as its settings have it.
struct ProviderServer: Sendable, Hashable {
    /// The issuer, or the base of the API.
    let url: String
    /// A PEM file with the only certificates to trust; nil for the system's roots.
    var caFile: String?
}

extension IdentityProvider {
    var server: ProviderServer { ProviderServer(url: url, caFile: caFile) }
}

/// The HTTP clients of the servers of all providers, each created when it is first used. A provider
/// that does not respond delays no other.
package struct ProviderClients: Sendable {
    private let clients = Locked<[ProviderServer: HTTPClient]>([:])
    private let limits: TransferLimits
    private let now: Now
    private let logger: Logger

    /// The longest response that is read. The keys of large providers take a tenth of it.
    private static let maxBodyBytes = 128 << 10
    /// The most URLs of which clients are kept. Admins may change them as often as they like.
    private static let maxClients = 256

    /// - Parameter now: the clock of the circuit breakers.
    package init(now: @escaping Now, logger: Logger) {
        var limits = TransferLimits()
        (limits.width, limits.maxWaiting, limits.total) = (4, 64, .seconds(5))
        self.init(limits: limits, now: now, logger: logger)
    }

    init(limits: TransferLimits, now: @escaping Now, logger: Logger) {
        self.limits = limits
        self.now = now
        self.logger = logger
    }

    /// Sends a request to a provider.
    func send(_ request: TransferRequest, to server: ProviderServer) async throws(ProviderError) -> TransferResponse {
        let response: TransferResponse
        do throws(TransferError) { response = try await client(server).send(request) } catch {
            throw .unavailable(cause: "\(server.url): \(error.cause)")
        }
        guard response.status < 500 else { throw .unavailable(cause: "\(server.url): the response has status \(response.status)") }
        guard response.body.count <= Self.maxBodyBytes else { throw .unavailable(cause: "\(server.url): the response is too long") }
        return response
    }

    private func client(_ server: ProviderServer) -> HTTPClient {
        clients.update { clients in
            if let known = clients[server] { return known }
            var logger = logger
            logger[metadataKey: "provider"] = "\(server.url)"
            let new = HTTPClient(
                label: "onward.provider", limits, caFile: server.caFile, now: { [now] in .milliseconds(now().milliseconds) }
            ) { [logger] isUp in
                if isUp { logger.notice("provider recovered") } else { logger.error("provider failed repeatedly, requests are paused") }
            }
            // Those in use end with their requests.
            if clients.count >= Self.maxClients { clients.removeAll() }
            clients[server] = new
            return new
        }
    }
}
