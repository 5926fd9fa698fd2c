import Accounts
import Base
public import Configuration
import Logging
import Mail

extension MailConfiguration {
    /// The transport; nil if mails are not sent.
    func transport(nodes: Int, now: @escaping Now, logger: Logger) -> (any MailTransport)? {
        switch delivery {
        case .none: nil
        case .relays(let relays): SMTPTransport(relays, nodes: nodes, encode: { MIMEMessage($0).bytes }, logger: logger)
        case .webhook(let settings): WebhookTransport(settings, now: now, logger: logger)
        }
    }
}

extension Configuration {
    /// Throws if the file does not say how mails are sent, although Onward has to send some.
    /// - Parameter file: the name of the file in the message.
    public func requireMail(file: String) throws(InvalidConfiguration) {
        guard mail == nil, projects.contains(where: { $0.upstream == nil }) else { return }
        throw InvalidConfiguration(problems: [
            Problem(
                file: file, line: nil, column: nil, key: "mail",
                sentence: """
                    is missing; expected from and relays, such as
                        mail: {from: "App <no-reply@example.com>", relays: [{url: "smtp://mail.example.com:587"}]}
                    or none, if only admins hand out links
                    """)
        ])
    }
}

extension Installation {
    /// The deliverer of this installation. It waits while the configuration in force sends no
    /// mails.
    var deliverer: MailDeliverer {
        var options = MailDeliverer.Options()
        options.keepsLetters = resources.mode.isDevelopment
        return MailDeliverer(
            queue: store, outbox: accounts.outbox, options: options, wakes: resources.mailWakes, now: resources.clock.now,
            confirmed: resources.clock.confirmed, random: resources.random, meters: resources.mailMeters, logger: resources.logger
        ) { [site] in
            site.value.mailContent
        }
    }
}
