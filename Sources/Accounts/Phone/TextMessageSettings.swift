package import WebURL

/// How a project sends text messages.
package struct TextMessageSettings: Sendable, Hashable {
    /// A webhook that receives text messages, and the secret with which they are signed.
    package struct Webhook: Sendable, Hashable {
        package let url: WebURL
        package let secret: String

        package init(url: WebURL, secret: String) { (self.url, self.secret) = (url, secret) }
    }

    /// Nil in development, and while secrets are not looked up.
    package var webhook: Webhook?
    /// The starts of the numbers that messages may go to: `+49`, or an area such as `+1212`.
    package var callingCodes: [String]
    /// The codes of test numbers, to which no message is sent.
    package var testCodes: [PhoneNumber: String] = [:]

    package init(webhook: Webhook? = nil, callingCodes: [String]) {
        self.webhook = webhook
        self.callingCodes = callingCodes
    }

    /// The settings of `onward dev`, which sends nothing.
    package static let development = TextMessageSettings(callingCodes: ["+"])

    /// Whether messages may go to a number, which is the first protection from toll fraud.
    package func reaches(_ number: PhoneNumber) -> Bool { callingCodes.contains { number.value.hasPrefix($0) } }
}
