import Accounts
import ArgumentParser
import Base

/// `onward doctor`, which checks an installation and says how to mend it.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks an installation from outside and inside, and says how to mend it.",
        discussion: """
            Checks that publicOrigin and each link domain answer with a valid certificate and as this configuration says; that phones \
            accept the association files; that people can sign up, or be invited, and came in time; that short links lead somewhere; that receivers find SPF, DKIM and DMARC for the sender; that the relays can be used; the clock, \
            the disk, the database (of a PostgreSQL server also its hosts, its role and the settings that durability depends on) and the age \
            of the secret. Changes nothing and sends no mail. Run it as the user of the server, and \
            `onward check-config` first. The exit status is 0 if all is well, 3 if there are only warnings, 1 if there are errors, and \
            78 if the configuration is invalid.

            EXAMPLES
              sudo -u onward onward doctor --config /etc/onward/onward.yaml \\
                --dkim-selector s1
              onward doctor --json --config /etc/onward/onward.yaml
            """)

    @Option(help: ArgumentHelp("A selector with which the relay signs mails, repeatable.", valueName: "name"))
    var dkimSelector: [String] = []
    @Flag(help: "Print each result as a JSON object on a line of its own.") var json = false
    @OptionGroup var file: ConfigurationFile

    func run() async throws {
        try await running {
            let found = await Doctor(try file.read(), selectors: dkimSelector).examine()
            for diagnosis in found { print(json ? diagnosis.json.text : diagnosis.text) }
            let counts = [Diagnosis.Severity.error, .warning].map { severity in found.count { $0.severity == severity } }
            if !json { print("\n\(counts[0]) errors, \(counts[1]) warnings.") }
            if let worst = Diagnosis.Severity.allCases.last(where: { severity in found.contains { $0.severity == severity } }),
                worst.exitStatus != 0
            {
                throw ExitCode(worst.exitStatus)
            }
        }
    }
}
