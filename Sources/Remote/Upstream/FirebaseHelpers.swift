public import Accounts
public import Base
public import Logging
internal import Network

/// Fetches the pages that Firebase has for its SDK in browsers. Nothing is stored, and redirects
/// are passed on. A response is bounded as all are (`TransferLimits`, `TransferResponse`).
public struct FirebaseHelpers: HelperPages {
    private let clients: HTTPClients

    public init(logger: Logger) {
        clients = HTTPClients(TransferLimits(), scope: .connections) { base, isUp in
            var logger = logger
            logger[metadataKey: "upstream"] = "\(base)"
            if isUp { logger.notice("upstream recovered") } else { logger.error("upstream cannot be reached, requests are paused") }
        }
    }

    public func fetch(_ target: String, _ request: HelperRequest, at host: WebURL) async throws(ActionError) -> HelperResponse {
        let response: TransferResponse
        do throws(TransferError) {
            let sent = TransferRequest(
                url: host.origin + target, fields: request.fields.map { "\($0.name): \($0.value)" }, body: request.form,
                isSentOnce: request.form != nil)
            response = try await clients[host.origin].send(sent, for: request.network)
        } catch { throw .unavailable(Unavailable(.upstream, cause: "helper pages at \(host.origin): \(error.cause)")) }
        return HelperResponse(
            status: response.status, fields: response.fields.map { (name: $0.name, value: $0.value) }, body: response.body)
    }
}
