import Base
import Mail

/// A webhook: `{url: …, secret: …}`.
struct WebhookSection: Section {
    var url: WebURL?
    var secret: String?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("url", \.url, .webURL).required("an https URL")
        ConfigurationKey("secret", \.secret, .secret()).required("the key env or file in it")
    }

    func value(in setting: Setting) throws -> (settings: WebhookSettings, secret: String)? {
        guard let url, let secret else { return nil }
        return (try WebhookSettings(url: url, secret: secret), secret)
    }
}
