package import Accounts
internal import Curl
package import Logging

/// The HTTP clients of all providers by the URL in their settings.
package struct ProviderClients: Sendable {
    private let clients: HTTPClients

    /// The longest response that is read. The keys of large providers take a tenth of it.
    private static let maxBodyBytes = 128 << 10

    /// - Parameter now: the clock of the circuit breakers.
    package init(now: @escaping Now, logger: Logger) {
        var limits = TransferLimits()
        (limits.width, limits.maxWaiting, limits.total) = (4, 64, .seconds(5))
        self.init(limits: limits, now: now, logger: logger)
    }

    init(limits: TransferLimits, now: @escaping Now, logger: Logger) {
        clients = HTTPClients(label: "onward.provider", limits, now: { .milliseconds(now().milliseconds) }) { base, isUp in
            var logger = logger
            logger[metadataKey: "provider"] = "\(base)"
            if isUp { logger.notice("provider recovered") } else { logger.error("provider failed repeatedly, requests are paused") }
        }
    }

    /// Sends a request to a provider.
    /// - Parameter base: the URL in the provider's settings.
    func send(_ request: TransferRequest, to base: String) async throws(ProviderError) -> TransferResponse {
        let response: TransferResponse
        do throws(TransferError) { response = try await clients[base].send(request) } catch {
            throw .unavailable(cause: "\(base): \(error.cause)")
        }
        guard response.status < 500 else { throw .unavailable(cause: "\(base): the response has status \(response.status)") }
        guard response.body.count <= Self.maxBodyBytes else { throw .unavailable(cause: "\(base): the response is too long") }
        return response
    }
}
