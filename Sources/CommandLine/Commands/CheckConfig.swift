import Accounts
import ArgumentParser
import Base
import Configuration
import HTTPServer
import Mail
import Server
import Store

/// `onward check-config`, which checks whether `serve` would start.
struct CheckConfig: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks a configuration and prints every problem in it.",
        discussion: """
            Checks everything that `onward serve` checks before it opens the database and listens: keys, values, secrets, templates, \
            languages, logos, certificates. Every problem is printed as file:line:column: key: what was expected; then the exit status \
            is 78. It is 1 if the database exists and is none of Onward's or has another secret, if a PostgreSQL server does not accept \
            a connection, if a certificate names no host of the \
            configuration, or if no mail relay can be used: each is connected to, without sending a mail. For projects with an upstream, \
            each API key is tried there, and the setting for the Firebase console is printed; if a key fails or the authority is wrong, \
            the exit status is 69, and the line says which.

            Printed as well, without effect on the exit status: hosts that no certificate names, values that look like those of the \
            sample, own words and templates that have no effect, and settings of admins that no longer fit the file.

            EXAMPLE
              onward check-config --config /etc/onward/onward.yaml && \\
                systemctl restart onward
            """)

    @OptionGroup var file: ConfigurationFile

    /// The certificates that are for no host of the configuration, and the hosts that none is for.
    static func certificateReport(of configuration: Configuration) throws -> (useless: [String], hosts: [String]) {
        guard !configuration.tls.isEmpty else { return ([], []) }
        let hosts = configuration.linkHosts
        let identities = try configuration.tls.map { try $0.identity(at: Int(System.now().seconds)) }
        let useless = try zip(configuration.tls, identities).filter { _, identity in
            let context = try TLSContext([identity])
            return !hosts.contains(where: context.covers)
        }
        let context = try TLSContext(identities)
        return (
            useless.map { files, identity in
                "\(files.certificate) is for \(identity.names.sorted().joined(separator: ", ")) "
                    + "and names no host of this server: \(hosts.joined(separator: ", "))"
            },
            hosts.filter { !context.covers($0) }.map { "\($0): no certificate names this host, so browsers refuse its links" }
        )
    }

    /// The migrations that the next start of a server runs; nil if there are none, or no database.
    private static func migrationReport(of setting: DatabaseSetting) async -> String? {
        guard (try? setting.requireFile()) != nil else { return nil }
        do {
            let pending = try await setting.withDatabase { try await Store.pendingMigrations(of: $0) }
            guard let first = pending.first else { return nil }
            let creates = first.version == 1 ? "creates its tables" : "runs \(pending.count) migrations (`onward migrate --dry-run`)"
            return "database \(setting.name): the next start of a server \(creates)"
        } catch { return errorLine(for: error) }
    }

    /// Connects to each relay and authenticates, sends nothing, and prints the results.
    /// - Returns: whether no relay can be used.
    private static func reportRelays(of configuration: Configuration) async -> Bool {
        guard case .relays(let relays)? = configuration.mail?.delivery else { return false }
        let checks = await SMTPTransport(relays, encode: { MIMEMessage($0).bytes }, logger: MailTest.quiet).verify()
        for check in checks {
            guard let failure = check.failure else {
                print("relay \(check.relay): connected, no mail was sent")
                continue
            }
            print("relay \(check.relay) cannot be used: \(failure)")
            for line in check.lines { print("    \(line)") }
        }
        return checks.allSatisfy { $0.failure != nil }
    }

    func run() async throws {
        try await running {
            let configuration = try file.readForServer()
            let loaded = try LoadedResources(configuration, mode: .production)
            try loaded.checkWords()
            for line in loaded.remarks { print(line) }
            for example in Configuration.exampleValues(inFile: file.path) { print(example) }
            let certificates = try Self.certificateReport(of: configuration)
            for line in certificates.useless + certificates.hosts { print(line) }
            let changes = await StoredAdminSettings(database: configuration.database)
            if let warning = changes.warning { print(warning) }
            if !changes.isUnreadable, let line = await Self.migrationReport(of: configuration.database) { print(line) }
            for project in configuration.projects {
                for objection in changes.applied(to: project, checks: SettingsChecks(views: loaded.views)).objections {
                    print("project \(project.id): the setting \(objection.field) of an admin is ignored: \(objection.sentence)")
                }
            }
            let secret = await configuration.secretState()
            if let line = secret?.warning { print("secret: \(line)") }
            var hasUnusableUpstream = false
            for project in configuration.projects {
                let report = await UpstreamReport(of: project)
                for line in report.lines { print(line) }
                hasUnusableUpstream = hasUnusableUpstream || !report.isUsable
            }
            let unusable = await Self.reportRelays(of: configuration)
            let projects = configuration.projects.map(\.id.rawValue).joined(separator: ", ")
            let admins = configuration.adminListen.map(\.description).joined(separator: ", ")
            let fails = unusable || changes.isUnreadable || secret == .other || !certificates.useless.isEmpty
            let verdict = fails || changes.warning != nil ? "can be read, but see above" : "is valid"
            print(
                "\(file.path) \(verdict). Projects: \(projects). Origin: \(configuration.publicOrigin.origin)"
                    + (admins.isEmpty ? "" : ". Every client of \(admins) has admin access"))
            if fails { throw ExitCode.failure }
            if hasUnusableUpstream { throw ExitCode.unusableUpstream }
        }
    }
}
