public import Accounts
public import Base
public import Logging
public import Network

/// Tells the operator's webhook of changes of accounts (`Docs/AccountEvents.md`).
public struct AccountEventWebhook: Sendable {
    /// The number of concurrent requests, and the time limits for each.
    public static var limits: TransferLimits {
        var limits = TransferLimits()
        (limits.width, limits.maxWaiting) = (1, 16)
        (limits.connect, limits.total) = (.seconds(10), .seconds(30))
        return limits
    }

    private let client: HTTPClient
    private let now: Now

    /// - Parameter now: the wall clock, for signatures.
    public init(limits: TransferLimits = Self.limits, now: @escaping Now, logger: Logger) {
        self.now = now
        client = HTTPClient(limits) { isUp in
            if isUp {
                logger.notice("account event webhook recovered")
            } else {
                logger.error("account event webhook failed repeatedly, it is paused")
            }
        }
    }

    /// - Returns: why the webhook did not take the event; nil if it did.
    public func send(_ event: AccountEvent, to settings: WebhookSettings) async -> String? {
        let request = settings.request(event.json.bytes, id: event.id, at: now())
        do throws(TransferError) {
            let status = try await client.send(request).status
            return (200..<300).contains(status) ? nil : "HTTP status \(status)"
        } catch { return error.cause }
    }
}
