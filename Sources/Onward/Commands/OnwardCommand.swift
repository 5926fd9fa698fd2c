import ArgumentParser

/// The command line. Each command is a file of its own in this folder.
@main
struct OnwardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onward",
        abstract: "Handles the links that accounts send by e-mail: verify, reset, sign in, change, undo.",
        discussion: """
            Onward is a server for e-mail action links. It mails the link, shows the page that the link opens, checks where the person \
            may be sent on to, applies the code once, and sends them on. Firebase Authentication's SDKs talk to it unchanged.

            AT A DESK
              onward dev                      A server with sample accounts and an inbox, no configuration.
              onward dev --port 9099          On the port where SDKs look for the Firebase Auth emulator.

            IN PRODUCTION
              onward check-config --config /etc/onward/onward.yaml
              onward serve --config /etc/onward/onward.yaml
              onward admin-key create --label deploy --config /etc/onward/onward.yaml
              onward signing-key list --config /etc/onward/onward.yaml
              onward backup --config /etc/onward/onward.yaml
              onward audit --since 7d --config /etc/onward/onward.yaml

            COMING FROM FIREBASE
              firebase auth:export accounts.json
              onward users import accounts.json --hash-config hash_config.txt --config /etc/onward/onward.yaml

            WHEN A LINK IS REFUSED
              onward explain-url https://app.example.com/welcome --config /etc/onward/onward.yaml

            SIGNALS
              HUP          Read configuration, templates, languages and certificates again; what cannot be used changes nothing.
              TERM, INT    Stop accepting, finish what is running, exit 0. A second one ends at once.

            EXIT STATUS
              0    Done.
              1    Something failed; the message says what.
              64   The command line cannot be read.
              78   The configuration cannot be used; every problem is printed as file:line:column: key: what was expected.
            """,
        version: Version.current,
        subcommands: [
            Dev.self, Serve.self, CheckConfig.self, ExplainURL.self, AdminKeyCommand.self, SigningKeyCommand.self, UsersCommand.self,
            AuditCommand.self, Backup.self, Restore.self, Healthcheck.self,
        ])
}

/// What `onward --version` prints.
enum Version {
    static let current = "0.1.0"
}
