public import ArgumentParser
import Configuration
import Foundation
import Server

/// The command line. Each command has its own file.
public struct OnwardCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "onward",
        abstract: "Handles the links that accounts send by e-mail: verify, reset, sign in, change, undo.",
        discussion: """
            Onward is a server for e-mail action links. It mails the link, shows the page that the link opens, checks the continue URL, \
            applies the code once, and redirects the user. Unmodified SDKs of Firebase Authentication work with it.

            DEVELOPMENT
              onward dev                A server with sample accounts and an inbox.
              onward dev --port 9099    On the port of the Firebase Auth emulator.

            PRODUCTION
              onward init --origin https://auth.example.com --domain app.example.com
              onward check-config --config /etc/onward/onward.yaml
              onward serve --config /etc/onward/onward.yaml
              onward doctor --config /etc/onward/onward.yaml
              onward admin-key create --label deploy --config /etc/onward/onward.yaml
              onward signing-key list --config /etc/onward/onward.yaml
              onward backup --config /etc/onward/onward.yaml
              onward migrate --dry-run --config /etc/onward/onward.yaml
              onward audit --since 7d --config /etc/onward/onward.yaml
              onward mail trace ada@example.com --config /etc/onward/onward.yaml
              onward clock --config /etc/onward/onward.yaml
              onward self-check --config /etc/onward/onward.yaml

            SUPPORT
              onward users get ada@example.com --config /etc/onward/onward.yaml
              onward users disable ada@example.com --config /etc/onward/onward.yaml
              onward link create resetPassword ada@example.com \\
                --config /etc/onward/onward.yaml

            MIGRATION FROM FIREBASE
              firebase auth:export accounts.json
              onward users import accounts.json --hash-config hash_config.txt \\
                --config /etc/onward/onward.yaml
              onward links import takeout.csv --config /etc/onward/onward.yaml

            REFUSED LINKS
              onward explain-url https://app.example.com/welcome \\
                --config /etc/onward/onward.yaml
              onward explain-link 'https://links.example.com/?link=…' \\
                --config /etc/onward/onward.yaml

            SIGNALS
              HUP          Reload configuration, templates, languages and certificates.
                           If one is invalid, nothing changes.
              TERM, INT    Stop accepting, finish running requests, exit 0. A second
                           signal exits at once, with 128 plus its number.

            EXIT STATUS
              0    Success.
              1    Failure; the message names the cause.
              3    `onward doctor` found warnings and no errors.
              64   The command line is invalid.
              69   `onward check-config`: an upstream cannot be reached, is not one, or
                   refuses an API key.
              74   A sync of the database failed; the next start continues from the
                   write-ahead log.
              78   The configuration is invalid; every problem is printed as
                   file:line:column: key: what was expected.
            """,
        version: Version.report,
        subcommands: [
            Dev.self, Init.self, Serve.self, CheckConfig.self, DoctorCommand.self, ExplainURL.self, ExplainLink.self, LinksCommand.self,
            AdminKeyCommand.self,
            SigningKeyCommand.self, SecretCommand.self, UsersCommand.self, LinkCommand.self, AuditCommand.self, MailCommand.self,
            EventsCommand.self,
            ClockCommand.self, MigrateCommand.self, Backup.self, Restore.self, StoreCommand.self, SelfCheck.self, Healthcheck.self,
        ])

    public init() {}

    public static func main() async {
        if let unknown = UnknownCommand.find(in: Array(CommandLine.arguments.dropFirst()), of: Self.self) {
            FileHandle.standardError.write(Data((unknown.message + "\n").utf8))
            exit(withError: ExitCode.validationFailure)
        }
        await main(nil)
    }
}
