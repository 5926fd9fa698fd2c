import Accounts
import ArgumentParser
import Base
import Configuration
import Foundation
import Logging
import Mail

/// `onward mail test`, which sends one mail and shows the dialogue with the relay.
struct MailTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Sends a test mail and prints the dialogue with the relay, without credentials.")

    @Option(help: ArgumentHelp("The address to send to.", valueName: "address")) var to: String
    @Option(help: ArgumentHelp("The project whose sender the mail has; default: the first.", valueName: "id")) var project: String?
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let configuration = try file.read()
            guard let recipient = EmailAddress(to) else {
                throw Failure("\(to) is not an e-mail address")
            }
            guard let mail = configuration.mail, let sender = mail.sender else {
                throw Failure("the configuration says that no mail is sent (mail: none)")
            }
            guard let sending = configuration.projects.first(where: { project == nil || $0.id.rawValue == project }) else {
                throw Failure("no project has the id \(project ?? "")")
            }
            let outgoing = Self.mail(to: recipient, from: sender.of(sending), of: sending, configuration.publicOrigin.origin)
            let outcome: DeliveryOutcome
            switch mail.delivery {
            case .none: throw Failure("the configuration says that no mail is sent (mail: none)")
            case .relays(let relays):
                let transport = SMTPTransport(relays, encode: { MIMEMessage($0).bytes }, logger: Self.quiet)
                outcome = await transport.send(outgoing) { print($0.shown) }
            case .webhook(let settings):
                outcome = await WebhookTransport(settings, now: System.now, logger: Self.quiet).send(outgoing)
            }
            print("\(outcome.relay ?? "no relay"): \(outcome.verdict.rawValue): \(outcome.answer)")
            guard outcome.verdict == .accepted else { throw ExitCode.failure }
            print("Look for it in the mailbox of \(recipient), in the spam folder too.")
        }
    }

    static let quiet = Logger(label: "onward.mail") { _ in SwiftLogNoOpLogHandler() }

    private static func mail(to recipient: EmailAddress, from sender: MailSender, of project: Project, _ origin: String) -> OutgoingMail {
        let content = RenderedMail(
            subject: "Test of \(origin)", text: "Mails of \(origin) arrive.\n",
            html: "<!doctype html><title>Test</title><p>Mails arrive.</p>")
        return OutgoingMail(
            id: Base64URL.encode(System.random(16)), project: project.id,
            Letter(.notice(.passwordChanged), to: recipient, language: "en", createdAt: System.now()), content, from: sender.from,
            replyTo: sender.replyTo, envelopeFrom: sender.envelopeFrom ?? sender.from.address)
    }
}
