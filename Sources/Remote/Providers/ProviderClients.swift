internal import Accounts
public import Base
public import Logging
internal import Network

/// The server of a provider, as its settings have it.
struct ProviderServer: Sendable, Hashable {
    /// The issuer, or the base of the API.
    let url: String
    /// A PEM file with the only certificates to trust; nil for the system's roots.
    var caFile: String?
    /// Whether the server is reached at public addresses only.
    var onlyPublic = false
}

extension IdentityProvider {
    var server: ProviderServer { ProviderServer(url: url, caFile: caFile, onlyPublic: onlyPublic) }
}

/// The HTTP clients of all providers by their servers.
public struct ProviderClients: Sendable {
    private let clients: HTTPClients

    /// The longest response that is read. The keys of large providers take a tenth of it.
    private static let maxBodyBytes = 128 << 10

    public init(uptime: @escaping @Sendable () -> Uptime = { .now }, logger: Logger) {
        var limits = TransferLimits()
        (limits.width, limits.maxWaiting, limits.total) = (4, 64, .seconds(5))
        self.init(limits: limits, uptime: uptime, logger: logger)
    }

    init(limits: TransferLimits, uptime: @escaping @Sendable () -> Uptime, logger: Logger) {
        clients = HTTPClients(limits, uptime: uptime) { base, isUp in
            var logger = logger
            logger[metadataKey: "provider"] = "\(base)"
            if isUp { logger.notice("provider recovered") } else { logger.error("provider failed repeatedly, requests are paused") }
        }
    }

    /// Sends a request to a provider.
    func send(_ request: TransferRequest, to server: ProviderServer) async throws(ProviderError) -> TransferResponse {
        let response: TransferResponse
        let client = clients[server.url, trusting: server.caFile, onlyPublic: server.onlyPublic]
        do throws(TransferError) { response = try await client.send(request) } catch {
            throw .unavailable(cause: "\(server.url): \(error.cause)")
        }
        guard response.status < 500 else { throw .unavailable(cause: "\(server.url): the response has status \(response.status)") }
        guard response.body.count <= Self.maxBodyBytes else { throw .unavailable(cause: "\(server.url): the response is too long") }
        return response
    }
}
