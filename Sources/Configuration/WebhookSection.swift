public import Accounts
import Base
public import Mail

/// A webhook: `{url: …, secret: …}`.
struct WebhookSection: Section {
    fileprivate var url: WebURL?
    fileprivate var secrets: WebhookSecrets?
    fileprivate var isPrivate: Bool?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("url", \.url, .webURL).required("an https URL")
        ConfigurationKey("secret", \.secrets, .webhookSecrets).required("the key env or file in it")
        ConfigurationKey("private", \.isPrivate, .boolean)
    }

    func value(in setting: Setting) throws -> WebhookSettings? {
        guard let url, let secrets else { return nil }
        return try WebhookSettings(url: url, secret: secrets.current, previous: secrets.previous, isPrivate: isPrivate ?? false)
    }
}

/// An endpoint of `events`.
public struct EventWebhook: Sendable {
    public let endpoint: EventEndpoint
    public let settings: WebhookSettings
}

/// An entry of `events`.
struct EventSection: Section {
    private var url: WebURL?
    private var secrets: WebhookSecrets?
    private var isPrivate: Bool?
    private var kinds: Set<AccountEvent.Kind>?
    private var projects: Set<String>?

    static var keys: [ConfigurationKey<Self>] {
        "An https URL, or an http URL of this machine."
        ConfigurationKey("url", \.url, .webURL).required("an https URL")
        "whsec_ and base64, as by `echo whsec_$(openssl rand -base64 32)`: {env: NAME} or {file: PATH}. {current: …, previous: …} of"
        "such signs with both, while the back end changes to the new one."
        ConfigurationKey("secret", \.secrets, .webhookSecrets).required("the key env or file in it")
        "The kinds of changes, such as [email.verified, account.deleted]. Default: all."
        ConfigurationKey("kinds", \.kinds, .set(.choice, orNone: false))
        "The ids of the projects. Default: all."
        ConfigurationKey("projects", \.projects, .set(.text, orNone: false))
        "Whether the address may be one that is not public, as in compose or Kubernetes."
        ConfigurationKey("private", \.isPrivate, .boolean)
    }

    func value(in setting: Setting) throws -> EventWebhook? {
        guard let url, let secrets else { return nil }
        let settings = try WebhookSettings(url: url, secret: secrets.current, previous: secrets.previous, isPrivate: isPrivate ?? false)
        return EventWebhook(
            endpoint: EventEndpoint(
                url: url.serialized, kinds: kinds, projects: projects.map { Set($0.map { ProjectID(rawValue: $0) }) }),
            settings: settings)
    }
}

/// The secret of a webhook, and the one before it.
struct WebhookSecrets {
    let current: String
    var previous: String?
}

extension ValueForm<WebhookSecrets> {
    /// `{env: NAME}`, `{file: PATH}`, or `{current: …, previous: …}` of such.
    fileprivate static var webhookSecrets: ValueForm {
        .either(
            ValueForm<String>.secret().map { WebhookSecrets(current: $0) }, if: { !$0.has("current") && !$0.has("previous") },
            or: .section(ChangingWebhookSecretSection.self, SecretSection.expected))
    }
}

private struct ChangingWebhookSecretSection: Section {
    var current, previous: String?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("current", \.current, .secret()).required("the key env or file in it")
        ConfigurationKey("previous", \.previous, .secret()).required(
            "the key env or file in it; without one, write the secret without current")
    }

    func value(in setting: Setting) -> WebhookSecrets? {
        current.flatMap { current in previous.map { WebhookSecrets(current: current, previous: $0) } }
    }
}
