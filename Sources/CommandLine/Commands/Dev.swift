import Accounts
public import ArgumentParser
import Base
import Configuration
import Foundation
import Logging
import Network
import Server
import Store

/// `onward dev`, which runs a server for development.
struct Dev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a server for development: no configuration, sample accounts, an inbox.",
        discussion: """
            Replaces the Firebase Auth emulator: every API key and project id is accepted, every app counts as registered, and \
            `Authorization: Bearer owner` gives admin access. Mails are shown in the inbox and sent to nobody. It is NOT for production.

            EXAMPLES
              onward dev
              onward dev --port 9099 --project my-app --authorize app.example.test
              onward dev --tokens signed           ID tokens that libraries verify.
              onward dev --data ./onward-data      Keeps accounts and mails between runs.
              onward dev --config onward.yaml      Shows your names, looks and words.
              onward dev --listen 0.0.0.0          Your network can connect.
              onward dev --relay smtp://localhost:1025     Also sends to a mail catcher.

            POINT AN SDK AT IT
              connectAuthEmulator(auth, "http://localhost:8080")     in a web app
              Auth.auth().useEmulator(withHost: "localhost", port: 8080)     in an iOS app
              FIREBASE_AUTH_EMULATOR_HOST=localhost:8080     for an admin SDK
            """)

    @Option(help: "The port; 0 chooses a free one.") var port: UInt16 = 8080
    @Option(help: ArgumentHelp("The folder of the database. (default: a temporary folder, removed at the end)", valueName: "folder"))
    var data: String?
    @Option(
        help: ArgumentHelp(
            "A PostgreSQL database in place of the file in the folder, such as postgres://localhost/onward_dev. With --data, for its secret.",
            valueName: "url"))
    var database: String?
    @Option(
        help: ArgumentHelp("The one IP address to listen on. (default: this machine only, 127.0.0.1 and [::1])", valueName: "address"))
    var listen: String?
    @Option(
        help: ArgumentHelp(
            "The origin of links, which is answered to as well. (default: localhost, or the address that --listen opens)",
            valueName: "url"))
    var origin: String?
    @Option(help: ArgumentHelp("An additional host that continue URLs may have; repeatable.", valueName: "domain"))
    var authorize: [String] = []
    @Option(help: ArgumentHelp("A host that links for apps may have; repeatable, the first is the default.", valueName: "host"))
    var linkDomain: [String] = []
    @Option(
        help: ArgumentHelp(
            "The id of the project that clients are in. (default: demo-project, and the first id that an admin SDK names)",
            valueName: "id"))
    var project: String?
    @Option(
        help: ArgumentHelp(
            "The ID tokens: unsigned, as admin SDKs expect of an emulator, or signed, as with `onward serve`.",
            valueName: "style"))
    var tokens = Installation.TokenStyle.unsigned
    @Option(help: ArgumentHelp("A folder with words and looks that differ from the release's.", valueName: "folder"))
    var resources: String?
    @Option(
        help: ArgumentHelp(
            """
            A configuration whose names, colours, logo, languages, words and password policy are shown, of the first project or of \
            --project. Nothing else of it is read: no secret, key, database, relay or webhook.
            """,
            valueName: "file"))
    var config: String?

    @Option(
        help: ArgumentHelp(
            "An SMTP server that every mail is sent to as well, such as a mail catcher. If it is down, the inbox works all the same.",
            valueName: "url"))
    var relay: String?

    @Option(
        help: ArgumentHelp(
            "How a press of a button is known to be a person's. Tests press at once; automatic is the default of onward serve.",
            valueName: "how"))
    var confirmBy = Project.ConfirmBy.press

    @Option(
        help: ArgumentHelp(
            "The rules for passwords: firebase, six characters, as test suites rely on; or production, those of onward serve.",
            valueName: "rules"))
    var passwordRules = DevPasswordRules.firebase

    @Flag(help: "Start without sample accounts and mails.") var empty = false

    @Flag(
        help: """
            Let pages of every website be admin and read mails and codes, not only those of this machine and of authorized domains.
            """)
    var trustEveryOrigin = false

    @Flag(help: "Apply the default abuse limits of onward serve.") var limits = false

    func validate() throws {
        guard database == nil || data != nil else {
            throw ValidationError("--database: expected --data too, the folder that keeps the secret of the database.")
        }
    }

    func run() async throws {
        try await running {
            let folder = try DevFolder(named: data)
            do {
                try await logging(LogOptions(level: .info, format: .text)) { log in try await serve(from: folder, log: log) }
            } catch {
                try folder.discard()
                throw error
            }
            try folder.discard()
        }
    }

    private func serve(from folder: DevFolder, log: Logger) async throws {
        let stop = Latch()
        let signals = StopSignals(opening: stop)
        // A terminal that closes sends the signal that reloads.
        let endsWithTerminal = System.hasTerminal && !System.ignores(SIGHUP)
        let reloadSignals = ReloadSignals()
        defer {
            signals.cancel()
            reloadSignals.cancel()
        }
        let looks = try config.map { try Configuration.Looks(file: $0, project: project, resources: resources) }
        let passwordRules = looks == nil ? passwordRules : .production
        let dev = try DevConfiguration(
            port: port, listen: listen, origin: origin, project: looks?.project.id.rawValue ?? project ?? "demo-project",
            authorize: authorize, linkDomains: linkDomain, confirmBy: confirmBy, passwordRules: passwordRules, looks: looks?.project)
        let configuration = try dev.configuration(
            in: folder, database: database, resources: resources ?? looks?.resources, limits: limits, relay: relay)
        var options = DevelopmentOptions(sample: dev.project)
        options.adoptsName = project == nil && looks == nil
        options.alias = folder.alias
        options.keepAlias = { folder.keep(alias: $0) }
        options.tokens = tokens
        options.trustsEveryOrigin = trustEveryOrigin
        options.listensBeyondLoopback = dev.listensBeyondLoopback
        options.passwordRules = passwordRules
        options.codesFile = folder.codesFile
        let installation = try await Installation(configuration, mode: .development(options), logger: log)
        if passwordRules == .firebase {
            log.notice("passwords need six characters only, as with Firebase; onward serve is stricter, see --password-rules production")
        }
        if !empty, try await installation.store.countAccounts(in: dev.project.id) == 0 {
            try await SampleAccounts(installation.accounts, in: dev.project, origin: dev.origin.origin).seed()
            // A test run finds the codes that it asked for, and no others.
            await installation.forgetIssuedCodes()
        }
        let reloads = ConfigurationReloads(requests: reloadSignals.stream) { running in
            if endsWithTerminal, !System.hasTerminal { stop.open() }
            return running
        }
        try await installation.run(until: stop, reloads: reloads) { addresses in
            let name = options.adoptsName ? folder.alias.map { "\($0)" } ?? "\(dev.project.id), until an admin SDK names another" : nil
            let greeting = dev.greeting(
                addresses: addresses.plain, project: name, data: database == nil ? folder.path : configuration.database.name,
                isKept: data != nil)
            FileHandle.standardOutput.write(Data(greeting.utf8))
        }
    }
}

extension Installation.TokenStyle: ExpressibleByArgument {}
extension Project.ConfirmBy: ExpressibleByArgument {}
extension DevPasswordRules: ExpressibleByArgument {}
