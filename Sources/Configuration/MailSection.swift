public import Accounts
import Base
import Foundation
public import Mail

/// The key `mail`: a sender, and either relays or a webhook.
struct MailSection: Section {
    var from: Mailbox?
    var replyTo: EmailAddress?
    var envelopeFrom: EmailAddress?
    var relays: [SMTPRelaySettings] = []
    var webhook: MailConfiguration.Delivery?
    var feedback: FeedbackSettings?
    var keepFor = MailConfiguration.usualRetention
    var maxWaiting = MailConfiguration.usualMaxWaiting

    static var keys: [ConfigurationKey<Self>] {
        "An address, or a name and an address. A project's own template may change the name and the part before the @."
        ConfigurationKey("from", \.from, .mailbox).required("the sender, such as \"App <no-reply@example.com>\"").shown(
            "App <no-reply@example.com>")
        "Where replies go. Default: the sender."
        ConfigurationKey("replyTo", \.replyTo, .senderAddress)
        "Where relays report mails that could not be delivered. Default: the sender."
        ConfigurationKey("envelopeFrom", \.envelopeFrom, .senderAddress)
        "SMTP servers, the preferred one first; the next one is asked if it is down. smtp:// has port 587 by default, smtps:// (TLS from"
        "the first byte) 465. The mail server of this machine: smtp://localhost:25."
        ConfigurationKey("relays", \.relays, .list(.section(RelaySection.self)))
        "{url: https://…, secret: {env: NAME}} instead of relays, for providers with an API: it gets each mail as JSON, signed by"
        "Standard Webhooks (whsec_…, Docs/MailWebhook.md). {current: …, previous: …} as secret signs with both; private: true allows"
        "an address that is not public, as in compose or Kubernetes."
        ConfigurationKey("webhook", \.webhook, ValueForm.section(WebhookSection.self).map { .webhook($0) })
        "The providers that may report bounces and complaints (Docs/MailFeedback.md). Default: none."
        ConfigurationKey("feedback", \.feedback, .section(FeedbackSettings.self))
        "How long the record of a mail is kept after it ended (`onward mail trace`). The mail itself is erased when it is sent."
        ConfigurationKey("keepFor", \.keepFor, .duration(.days(1) ... .days(365)))
        "The most mails that may wait, half of it for one project. Beyond it, mails are dropped that were asked for from the networks"
        "that asked for the most."
        ConfigurationKey("maxWaiting", \.maxWaiting, .count(1_000...10_000_000))
    }

    func value(in setting: Setting) throws -> MailConfiguration? {
        guard setting.has("relays") ? !setting.has("webhook") && setting["relays"]?.items.isEmpty == false : setting.has("webhook") else {
            throw SettingError("expected either relays, a list of one or more, or webhook")
        }
        guard let from else { return nil }
        return MailConfiguration(
            sender: MailSender(from: from, replyTo: replyTo, envelopeFrom: envelopeFrom),
            // Without secrets there is no webhook.
            delivery: relays.isEmpty ? webhook ?? MailConfiguration.Delivery.none : .relays(relays), feedback: feedback, keepFor: keepFor,
            maxWaiting: maxWaiting)
    }
}

/// A relay of the key `mail`.
private struct RelaySection: Section {
    var url: String?
    var startTLS: SMTPRelaySettings.StartTLS?
    var user, password, tokenFile, helo, caFile, pinnedKey: String?
    var ratePerMinute: Int?
    var maxConnections = 4

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("url", \.url, .text).required("smtp://HOST:PORT or smtps://HOST:PORT").shown("smtp://mail.example.com:587")
        "required, or never. Default: required; for this machine never."
        ConfigurationKey("starttls", \.startTLS, .choice)
        "The name for the relay. Sent only over TLS or to this machine, like what follows."
        ConfigurationKey("user", \.user, .text)
        "{env: NAME} or {file: PATH}."
        ConfigurationKey("password", \.password, .secret(mayBeEmpty: true))
        "Instead of the password, the path of an OAuth 2 token, read for each connection (XOAUTH2)."
        ConfigurationKey("tokenFile", \.tokenFile, .text)
        "The name that Onward calls itself. Default: the host of publicOrigin."
        ConfigurationKey("helo", \.helo, .text)
        "A PEM file with the only certificates to trust."
        ConfigurationKey("caFile", \.caFile, .readableFile)
        "sha256//… of the server's key."
        ConfigurationKey("pinnedKey", \.pinnedKey, .text)
        "The most mails. Default: no limit."
        ConfigurationKey("ratePerMinute", \.ratePerMinute, .count(1...1_000_000))
        "The most connections."
        ConfigurationKey("maxConnections", \.maxConnections, .count(1...64))
    }

    func value(in setting: Setting) throws -> SMTPRelaySettings? {
        guard let url else { return nil }
        let credentials: SMTPCredentials? =
            switch (user, setting.has("password"), tokenFile) {
            // Without secrets there is no password.
            case (let user?, true, nil): password.map { SMTPCredentials.password(user: user, $0) }
            case (let user?, false, let file?): .tokenFile(user: user, path: file)
            case (nil, false, nil): nil
            default: throw SettingError("user needs either password or tokenFile, and they need user")
            }
        return try SMTPRelaySettings(
            url: url, startTLS: startTLS, heloName: helo ?? setting.context.origin?.host?.serialized ?? "localhost",
            credentials: credentials, caFile: caFile, pinnedPublicKey: pinnedKey, ratePerMinute: ratePerMinute,
            maxConnections: maxConnections)
    }
}

extension ProjectMail: Section {
    static var keys: [ConfigurationKey<Self>] {
        "Instead of from of mail above, such as Shop <hello@shop.example>."
        ConfigurationKey("from", \.from, .mailbox)
        "Instead of replyTo of mail above."
        ConfigurationKey("replyTo", \.replyTo, .senderAddress)
        "Instead of envelopeFrom of mail above."
        ConfigurationKey("envelopeFrom", \.envelopeFrom, .senderAddress)
        "The mails that are sent at once, and regained evenly over a minute; others wait in the queue. Choose what your mail provider"
        "accepts. Several processes share it (nodes)."
        ConfigurationKey("mailsPerMinute", \.mailsPerMinute, .count(paces))
    }
}

extension FeedbackSettings: Section {
    static var keys: [ConfigurationKey<Self>] {
        let topic = "the name of a topic, such as arn:aws:sns:eu-west-1:123456789012:mails"
        "{topic: ARN}."
        ConfigurationKey("sns", \.sns, .only("topic", .text(topic) { SNSTopic($0) }, topic))
        let publicKey = "the verification key of the event webhook, as SendGrid shows it"
        "{publicKey: KEY}, the verification key of its event webhook."
        ConfigurationKey("sendgrid", \.sendgrid, .only("publicKey", .text(publicKey) { SendGridKey($0) }, publicKey))
        "{signingKey: {env: NAME} or {file: PATH}}."
        ConfigurationKey("mailgun", \.mailgunSigningKey, .only("signingKey", .secret(), secretKeys))
        "{user: NAME, password: {env: NAME}}."
        ConfigurationKey("postmark", \.postmark, .section(PostmarkSection.self))
        let key = ValueForm.secret().map { text in
            guard let key = WebhookKey(text) else {
                throw SettingError("expected whsec_ and the base64 of 24 to 64 bytes: echo whsec_$(openssl rand -base64 32)")
            }
            return key
        }
        "{secret: {env: NAME}}, for any other provider."
        ConfigurationKey("plain", \.plain, .only("secret", key, secretKeys))
    }
}

private let secretKeys = "the key env or file in it"

private struct PostmarkSection: Section {
    var user, password: String?

    static var keys: [ConfigurationKey<Self>] {
        ConfigurationKey("user", \.user, .text(#/[!-9;-~]{1,100}/#, "a name without spaces and colons"))
            .required("the user in the URL that Postmark has")
        let password = ValueForm.secret().checked { text, _ in
            guard text.utf8.count >= 16 else { throw SettingError("expected at least 16 bytes, as by `openssl rand -hex 24`") }
        }
        ConfigurationKey("password", \.password, password).required(secretKeys)
    }

    func value(in setting: Setting) -> FeedbackSettings.Credentials? {
        user.flatMap { user in password.map { FeedbackSettings.Credentials(user: user, password: $0) } }
    }
}

extension ValueForm<String> {
    /// The path of a file that this process can read.
    static var readableFile: ValueForm {
        .text.checked { path, _ in
            guard FileManager.default.isReadableFile(atPath: path) else { throw SettingError("the file \(path) cannot be read") }
        }
    }
}

extension ValueForm<EmailAddress> {
    fileprivate static var senderAddress: ValueForm {
        .text("an e-mail address") { text in try EmailAddress(text)?.forEveryRelay() }
    }
}

extension ValueForm<Mailbox> {
    /// `App <no-reply@example.com>` or only the address.
    fileprivate static var mailbox: ValueForm {
        .text("an address, such as no-reply@example.com or \"App <no-reply@example.com>\"") { text in
            let text = text.trimmingCharacters(in: .whitespaces)
            let parts = text.wholeMatch(of: #/([^<>]*)<([^<>]+)>/#)
            let (name, spec) = parts.map { ($0.1.trimmingCharacters(in: .whitespaces), String($0.2)) } ?? ("", text)
            guard let address = EmailAddress(spec), text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
                return nil
            }
            let unquoted = name.count > 1 && name.hasPrefix("\"") && name.hasSuffix("\"") ? String(name.dropFirst().dropLast()) : name
            return Mailbox(name: unquoted.isEmpty ? nil : unquoted, address: try address.forEveryRelay())
        }
    }
}

extension EmailAddress {
    /// Throws for an address that would make every mail need SMTPUTF8.
    fileprivate func forEveryRelay() throws(SettingError) -> EmailAddress {
        guard !isInternational else {
            throw SettingError("expected an address with only ASCII before its @, because few relays accept others as senders")
        }
        return self
    }
}
