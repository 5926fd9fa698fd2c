public import Base

/// How a project sends text messages.
public struct TextMessageSettings: Sendable, Hashable {
    /// A webhook that receives text messages, and the secret that signs them.
    public struct Webhook: Sendable, Hashable {
        public let url: WebURL
        public let secret: String

        public init(url: WebURL, secret: String) { (self.url, self.secret) = (url, secret) }
    }

    /// Nil in development, and while secrets are not looked up.
    public var webhook: Webhook?
    /// The starts of the numbers that messages may go to: `+49`, or an area such as `+1212`.
    public var callingCodes: [String]
    /// The codes of test numbers, which get no messages.
    public var testCodes: [PhoneNumber: String] = [:]

    public init(webhook: Webhook? = nil, callingCodes: [String]) {
        self.webhook = webhook
        self.callingCodes = callingCodes
    }

    /// The settings of `onward dev`, which sends nothing.
    public static let development = TextMessageSettings(callingCodes: ["+"])

    /// Whether messages may go to a number, which is the first protection from toll fraud.
    public func reaches(_ number: PhoneNumber) -> Bool { callingCodes.contains { number.value.hasPrefix($0) } }
}
