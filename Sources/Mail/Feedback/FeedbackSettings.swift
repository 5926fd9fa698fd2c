internal import Accounts
internal import Cryptography
internal import Foundation

/// The providers that may send feedback, as they are configured.
public struct FeedbackSettings: Sendable, Equatable {
    /// A user and a password.
    public struct Credentials: Sendable, Equatable {
        public let user, password: String

        public init(user: String, password: String) { (self.user, self.password) = (user, password) }
    }

    /// The public key of SendGrid's signatures, as SendGrid shows it.
    public struct SendGridKey: Sendable, Equatable {
        let key: P256PublicKey
        private let text: String

        /// Nil for text that is not such a key.
        /// - Parameter text: the base64 of the DER of a public key.
        public init?(_ text: String) {
            guard let der = Data(base64Encoded: text), let key = P256PublicKey(der: Array(der)) else { return nil }
            (self.key, self.text) = (key, text)
        }

        public static func == (a: Self, b: Self) -> Bool { a.text == b.text }
    }

    public var sns: SNSTopic?
    public var sendgrid: SendGridKey?
    public var mailgunSigningKey: String?
    public var postmark: Credentials?
    public var plain: WebhookKey?

    public init() {}

    /// The configured providers. Reports of others are refused.
    func sources(_ certificates: SNSCertificates) -> [FeedbackProvider: any FeedbackSource] {
        let all: [FeedbackProvider: (any FeedbackSource)?] = [
            .sns: sns.map { SNSFeedback(topic: $0, certificates: certificates) },
            .sendgrid: sendgrid.map { SendGridFeedback(key: $0.key) },
            .mailgun: mailgunSigningKey.map { MailgunFeedback(signingKey: $0) },
            .postmark: postmark.map { PostmarkFeedback(credentials: $0) },
            .plain: plain.map { PlainFeedback(key: $0) },
        ]
        return all.compactMapValues(\.self)
    }
}
