public import Accounts
public import Base
public import Logging
public import Network

/// Hands text messages to the webhooks of projects, which send them by the provider of the team's
/// choice (`Docs/TextMessages.md`).
///
/// There is no queue: the user waits in front of the app, and a code works for ten minutes. The app
/// learns of a failure, and asks again.
public struct TextMessageWebhooks: TextMessageSender {
    /// The number of concurrent requests to one webhook, and the time limits for each.
    public static var limits: TransferLimits {
        var limits = TransferLimits()
        (limits.width, limits.maxWaiting) = (4, 64)
        (limits.connect, limits.total) = (.seconds(5), .seconds(10))
        return limits
    }

    private let clients: HTTPClients
    private let now: Now

    /// - Parameter now: the wall clock, for signatures.
    public init(limits: TransferLimits = Self.limits, now: @escaping Now, logger: Logger) {
        self.now = now
        clients = HTTPClients(limits) { base, isUp in
            var logger = logger
            logger[metadataKey: "webhook"] = "\(base)"
            if isUp {
                logger.notice("text message webhook recovered")
            } else {
                logger.error("text message webhook failed repeatedly, it is paused")
            }
        }
    }

    public func send(_ message: TextMessage, by settings: TextMessageSettings) async throws(ActionError) {
        guard let webhook = settings.webhook, let signed = try? WebhookSettings(url: webhook.url, secret: webhook.secret) else {
            throw .unavailable(Unavailable(.textMessages, cause: "the project has no webhook for text messages"))
        }
        let request = signed.request(message.json.bytes, id: message.id, at: now())
        let status: Int
        do throws(TransferError) { status = try await clients[webhook.url.origin].send(request).status } catch {
            let state: Unavailable.CommitState = error.requestState == .notSent ? .notCommitted : .unknown
            throw .unavailable(Unavailable(.textMessages, cause: "\(webhook.url.origin): \(error.cause)", commitState: state))
        }
        switch status {
        case 200..<300: return
        case 422: throw .refused(.invalidPhoneNumber, detail: "No message can be sent to this number")
        default:
            // A proxy may say so after the message was sent.
            let isRefused = 400..<500 ~= status && ![408, 429].contains(status)
            throw .unavailable(
                Unavailable(
                    .textMessages, cause: "\(webhook.url.origin): the response has status \(status)",
                    commitState: isRefused ? .notCommitted : .unknown))
        }
    }
}

extension TextMessage {
    fileprivate var json: JSON {
        let data: JSON = .object([
            "id": .string(id), "project": .string(project.rawValue), "to": .string(number.value), "text": .string(text),
            "code": .string(code), "language": .string(language), "expiresAt": .string(expiresAt.iso8601),
        ])
        return .object(["type": "sms.created", "timestamp": .string(sentAt.iso8601), "data": data])
    }
}
