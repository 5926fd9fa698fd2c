internal import Cryptography
internal import Foundation

/// The providers that may send feedback, as they are configured.
package struct FeedbackSettings: Sendable, Equatable {
    /// A user and a password.
    package struct Credentials: Sendable, Equatable {
        package let user, password: String

        package init(user: String, password: String) { (self.user, self.password) = (user, password) }
    }

    /// The key with which SendGrid signs, as SendGrid shows it.
    package struct SendGridKey: Sendable, Equatable {
        let key: P256PublicKey
        private let text: String

        /// Nil for text that is not such a key.
        /// - Parameter text: the base64 of the DER of a public key.
        package init?(_ text: String) {
            guard let der = Data(base64Encoded: text), let key = P256PublicKey(der: Array(der)) else { return nil }
            (self.key, self.text) = (key, text)
        }

        package static func == (a: Self, b: Self) -> Bool { a.text == b.text }
    }

    package var sns: SNSTopic?
    package var sendgrid: SendGridKey?
    package var mailgunSigningKey: String?
    package var postmark: Credentials?
    package var plain: WebhookKey?

    package init() {}
}
