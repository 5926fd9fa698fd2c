import Accounts
import Base
import Foundation
import Mail
import Yams

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

extension Setting {
    /// `none`, or a section with a sender and either relays or a webhook.
    /// - Parameters:
    ///   - origin: names this machine to relays.
    ///   - environment: nil if secrets are not looked up; relays then have no credentials.
    func mail(
        origin: WebURL?, _ environment: Configuration.Environment?
    ) throws(SettingError) -> MailConfiguration {
        if isWord("none") { return .none }
        guard node.mapping != nil else { throw SettingError("expected none, or the keys from and relays (or webhook)") }
        return try section { section throws(SettingError) in try section.mail(origin: origin, environment) }
    }

    fileprivate func address() throws(SettingError) -> EmailAddress {
        guard let address = EmailAddress(try text()) else { throw SettingError("expected an e-mail address") }
        return try address.forEveryRelay()
    }

    /// `App <no-reply@example.com>` or only the address.
    fileprivate func mailbox() throws(SettingError) -> Mailbox {
        let text = try text().trimmingCharacters(in: .whitespaces)
        let parts = text.wholeMatch(of: #/([^<>]*)<([^<>]+)>/#)
        let (name, spec) = parts.map { ($0.1.trimmingCharacters(in: .whitespaces), String($0.2)) } ?? ("", text)
        guard let address = EmailAddress(spec), text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw SettingError("expected an address, such as no-reply@example.com or \"App <no-reply@example.com>\"")
        }
        let unquoted = name.count > 1 && name.hasPrefix("\"") && name.hasSuffix("\"") ? String(name.dropFirst().dropLast()) : name
        return Mailbox(name: unquoted.isEmpty ? nil : unquoted, address: try address.forEveryRelay())
    }

    fileprivate func relay(
        greetingAs host: String, _ environment: Configuration.Environment?
    ) throws(SettingError) -> SMTPRelaySettings {
        try section { section throws(SettingError) in try section.relay(greetingAs: host, environment) }
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

extension Section {
    fileprivate func mail(origin: WebURL?, _ environment: Configuration.Environment?) throws(SettingError) -> MailConfiguration {
        let from = required("from", expecting: "the sender, such as \"App <no-reply@example.com>\"") { value throws(SettingError) in
            try value.mailbox()
        }
        let replyTo = value("replyTo") { value throws(SettingError) in try value.address() }
        let envelopeFrom = value("envelopeFrom") { value throws(SettingError) in try value.address() }
        let keepFor = value("keepFor") { value throws(SettingError) in try value.span(in: .days(1)...(.days(365))) }
        let maxWaiting = value("maxWaiting") { value throws(SettingError) in try value.count(in: 1_000...10_000_000) }
        let host = origin?.host?.serialized ?? "localhost"
        var namesRelay = false
        let relays = value("relays") { list throws(SettingError) in
            try list.list { item throws(SettingError) in
                namesRelay = true
                return try item.relay(greetingAs: host, environment)
            }
        }
        let webhook = value("webhook") { value throws(SettingError) in
            try value.section { section throws(SettingError) in try section.webhook(environment) }
        }
        let feedback = value("feedback") { value throws(SettingError) in
            try value.section { section in section.feedback(environment) }
        }
        guard let from else { return .none }
        let sender = MailSender(from: from, replyTo: replyTo, envelopeFrom: envelopeFrom)
        let delivery: MailConfiguration.Delivery
        switch (relays, webhook) {
        case (let relays?, nil) where !relays.isEmpty: delivery = .relays(relays)
        case (nil, let webhook??): delivery = webhook
        // The secret of the webhook was not looked up, or is reported at its own position.
        case (nil, .some(nil)): delivery = .none
        // They are reported at their own positions.
        case (_, nil) where namesRelay: delivery = .none
        default: throw SettingError("expected either relays, a list of one or more, or webhook")
        }
        return MailConfiguration(
            sender: sender, delivery: delivery, feedback: feedback, keepFor: keepFor ?? MailConfiguration.usualRetention,
            maxWaiting: maxWaiting ?? MailConfiguration.usualMaxWaiting)
    }

    /// The differences of a project's mails.
    func projectMail() -> ProjectMail {
        var mail = ProjectMail()
        mail.from = value("from") { value throws(SettingError) in try value.mailbox() }
        mail.replyTo = value("replyTo") { value throws(SettingError) in try value.address() }
        mail.envelopeFrom = value("envelopeFrom") { value throws(SettingError) in try value.address() }
        let pace = value("mailsPerMinute") { value throws(SettingError) in try value.count(in: ProjectMail.paces) }
        mail.mailsPerMinute = pace ?? mail.mailsPerMinute
        return mail
    }

    fileprivate func relay(
        greetingAs host: String, _ environment: Configuration.Environment?
    ) throws(SettingError) -> SMTPRelaySettings {
        let url = required("url", expecting: "smtp://HOST:PORT or smtps://HOST:PORT") { value throws(SettingError) in try value.text() }
        let startTLS = value("starttls") { value throws(SettingError) in try value.choice(of: SMTPRelaySettings.StartTLS.self) }
        let user = value("user") { value throws(SettingError) in try value.text() }
        let password = value("password") { value throws(SettingError) in
            try value.secretSection { section throws(SettingError) in try section.secretText(environment) }
        }
        let tokenFile = value("tokenFile") { value throws(SettingError) in try value.text() }
        let helo = value("helo") { value throws(SettingError) in try value.text() }
        let caFile = value("caFile") { value throws(SettingError) in try value.text() }
        let pinnedKey = value("pinnedKey") { value throws(SettingError) in try value.text() }
        let rate = value("ratePerMinute") { value throws(SettingError) in try value.count(in: 1...1_000_000) }
        let connections = value("maxConnections") { value throws(SettingError) in try value.count(in: 1...64) }
        guard let url else { throw SettingError("expected a relay with a url") }
        if let caFile, !FileManager.default.isReadableFile(atPath: caFile) { throw SettingError("the file \(caFile) cannot be read") }
        let credentials: SMTPCredentials? =
            switch (user, password, tokenFile) {
            case (let user?, let password??, nil): .password(user: user, password)
            // The password was not looked up.
            case (_?, .some(nil), nil): nil
            case (let user?, nil, let file?): .tokenFile(user: user, path: file)
            case (nil, nil, nil): nil
            default: throw SettingError("user needs either password or tokenFile, and they need user")
            }
        do throws(SMTPRelaySettings.Invalid) {
            return try SMTPRelaySettings(
                url: url, startTLS: startTLS, heloName: helo ?? host, credentials: credentials, caFile: caFile, pinnedPublicKey: pinnedKey,
                ratePerMinute: rate, maxConnections: connections ?? 4)
        } catch { throw SettingError("the relay \(error)") }
    }

    /// - Returns: nil if secrets are not looked up.
    private func webhook(_ environment: Configuration.Environment?) throws(SettingError) -> MailConfiguration.Delivery? {
        guard let (url, secret) = try webhookKeys(environment) else { return nil }
        do throws(WebhookSettings.Invalid) { return .webhook(try WebhookSettings(url: url, secret: secret), secret: secret) } catch {
            throw SettingError("the webhook \(error)")
        }
    }
}
