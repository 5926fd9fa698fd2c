import Base
public import Mail

/// The key `mail`: the sender of mails, and the way in which they are sent.
public struct MailConfiguration: Sendable, Equatable {
    public enum Delivery: Sendable, Equatable {
        /// Mails are not sent; admins get links from the API.
        case none
        /// SMTP relays, the preferred one first.
        case relays([SMTPRelaySettings])
        case webhook(WebhookSettings)
    }

    /// How long the record of a mail is kept after it ended, unless the file sets another span.
    public static let usualRetention = Duration.days(30)
    /// The most mails that wait, unless the file sets another number: about 150 MB.
    public static let usualMaxWaiting = 100_000
    public static let none = MailConfiguration(sender: nil, delivery: .none)

    /// Nil only if mails are not sent.
    public let sender: MailSender?
    public let delivery: Delivery
    /// The providers that may report bounces and complaints; nil if there are none.
    public var feedback: FeedbackSettings?
    public var keepFor: Duration
    public var maxWaiting: Int

    public init(
        sender: MailSender?, delivery: Delivery, feedback: FeedbackSettings? = nil, keepFor: Duration = usualRetention,
        maxWaiting: Int = usualMaxWaiting
    ) {
        (self.sender, self.delivery, self.feedback, self.keepFor, self.maxWaiting) = (sender, delivery, feedback, keepFor, maxWaiting)
    }
}
