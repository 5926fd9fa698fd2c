public import Accounts
public import Base
public import Logging
public import Network

/// Hands mails to a webhook of the operator, for providers with an API and for teams with a mailer.
///
/// Source: Standard Webhooks. The receiver verifies the signature and answers 2xx once it has
/// stored the mail; it can recognise a mail that comes again by its `webhook-id`.
public struct WebhookTransport: MailTransport {
    /// The number of concurrent requests, and the time limits for each.
    public static var limits: TransferLimits {
        var limits = TransferLimits()
        (limits.width, limits.maxWaiting) = (8, 256)
        (limits.connect, limits.total) = (.seconds(10), .seconds(30))
        return limits
    }

    private let settings: WebhookSettings
    private let client: HTTPClient
    private let now: Now

    /// - Parameter now: the wall clock, for signatures.
    public init(_ settings: WebhookSettings, limits: TransferLimits = Self.limits, now: @escaping Now, logger: Logger) {
        self.settings = settings
        self.now = now
        var logger = logger
        logger[metadataKey: "webhook"] = "\(settings.url.origin)"
        client = HTTPClient(limits, onlyPublic: settings.reachesOnlyPublicAddresses) { [logger] isUp in
            if isUp { logger.notice("mail webhook recovered") } else { logger.error("mail webhook failed repeatedly, it is paused") }
        }
    }

    /// Whether the webhook counts as down.
    public var isDown: Bool { client.downSince != nil }

    public func send(_ mail: OutgoingMail) async -> DeliveryOutcome {
        let body = WebhookPayload(mail).json.bytes
        let request = settings.request(body, id: mail.id, at: now())
        do throws(TransferError) {
            return outcome(of: try await client.send(request).status)
        } catch { return DeliveryOutcome(.deferred, relay: settings.url.origin, answer: error.cause, cause: .relay) }
    }

    /// The body of the response is not kept: it may repeat the mail, and its link.
    private func outcome(of status: Int) -> DeliveryOutcome {
        let answer = "HTTP status \(status)"
        return switch status {
        case 200..<300: DeliveryOutcome(.accepted, relay: settings.url.origin, answer: answer)
        case 408, 425, 429: DeliveryOutcome(.deferred, relay: settings.url.origin, answer: answer, cause: .relay)
        case 400..<500: DeliveryOutcome(.refused, relay: settings.url.origin, answer: answer)
        default: DeliveryOutcome(.deferred, relay: settings.url.origin, answer: answer, cause: .relay)
        }
    }
}
