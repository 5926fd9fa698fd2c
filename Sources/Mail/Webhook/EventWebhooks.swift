public import Accounts
public import Base
public import Logging
public import Network

/// Tells the endpoints of the operator of changes of accounts (`Docs/Events.md`).
public struct EventWebhooks: Sendable {
    /// The answer of an endpoint to an event.
    public enum EventAnswer: Sendable, Hashable {
        case taken
        /// The endpoint does not want the event, now or later.
        case gone
        case failed(cause: String)
    }

    /// The number of concurrent requests to one endpoint, and the time limits for each.
    public static var limits: TransferLimits {
        var limits = TransferLimits()
        (limits.width, limits.maxWaiting) = (8, 64)
        (limits.connect, limits.total) = (.seconds(10), .seconds(30))
        return limits
    }

    private let clients: HTTPClients
    private let now: Now

    /// - Parameters:
    ///   - now: the wall clock, for signatures.
    ///   - uptime: for the pauses of endpoints that are down.
    public init(
        limits: TransferLimits = Self.limits, now: @escaping Now, uptime: @escaping @Sendable () -> Uptime = { .now }, logger: Logger
    ) {
        self.now = now
        clients = HTTPClients(limits, uptime: uptime) { url, isUp in
            var logger = logger
            // The rest of a URL may be a secret.
            logger[metadataKey: "endpoint"] = "\((try? WebURL(url))?.origin ?? "")"
            if isUp { logger.notice("event endpoint recovered") } else { logger.error("event endpoint failed repeatedly, it is paused") }
        }
    }

    private func client(of settings: WebhookSettings) -> HTTPClient {
        clients[settings.url.serialized, onlyPublic: settings.reachesOnlyPublicAddresses]
    }

    /// Whether an endpoint counts as down.
    public func isDown(_ settings: WebhookSettings) -> Bool { client(of: settings).downSince != nil }

    /// Whether an endpoint that is down was asked a moment ago.
    public func isPaused(_ settings: WebhookSettings) -> Bool { client(of: settings).isPaused }

    public func send(_ event: AccountEvent, to settings: WebhookSettings) async -> EventAnswer {
        let request = settings.request(event.json.bytes, id: event.id, at: now())
        do throws(TransferError) {
            switch try await client(of: settings).send(request).status {
            case 200..<300: return .taken
            case 410: return .gone
            case let status: return .failed(cause: "HTTP status \(status)")
            }
        } catch { return .failed(cause: error.cause) }
    }
}
