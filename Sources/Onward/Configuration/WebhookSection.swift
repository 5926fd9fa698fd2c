import Base
import Mail

/// A webhook: `{url: …, secret: …}`.
struct WebhookSection: Section {
    var url: WebURL?
    var secret: String?

    static var keys: [Key<Self>] {
        Key("url", \.url, .webURL).required("an https URL")
        Key("secret", \.secret, .secret()).required("the key env or file in it")
    }

    func value(in setting: Setting) throws -> (settings: WebhookSettings, secret: String)? {
        guard let url, let secret else { return nil }
        return (try WebhookSettings(url: url, secret: secret), secret)
    }
}
