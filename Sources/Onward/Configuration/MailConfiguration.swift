import Base
import Mail

/// The key `mail`: the sender of mails, and the way in which they are sent.
struct MailConfiguration: Sendable, Equatable {
    enum Delivery: Sendable, Equatable {
        /// Mails are not sent; admins get links from the API.
        case none
        /// SMTP relays, the preferred one first.
        case relays([SMTPRelaySettings])
        case webhook(WebhookSettings, secret: String)

        static func == (a: Delivery, b: Delivery) -> Bool {
            switch (a, b) {
            case (.none, .none): true
            case (.relays(let a), .relays(let b)): a == b
            case (.webhook(let a, let secret), .webhook(let b, let other)): a.url == b.url && secret == other
            default: false
            }
        }
    }

    /// How long the record of a mail is kept after it ended, unless the file sets another span.
    static let usualRetention = Duration.days(30)
    /// The most mails that wait, unless the file sets another number: about 150 MB.
    static let usualMaxWaiting = 100_000
    static let none = MailConfiguration(sender: nil, delivery: .none)

    /// Nil only if mails are not sent.
    let sender: MailSender?
    let delivery: Delivery
    /// The providers that may report bounces and complaints; nil if there are none.
    var feedback: FeedbackSettings?
    var keepFor = usualRetention
    var maxWaiting = usualMaxWaiting
}
