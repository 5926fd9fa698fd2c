import Accounts
import ArgumentParser
import EmailActions
import Foundation
import HTTPServer
import Logging
import Queues
import Store
import WebURL

/// `onward dev`: for a desk.
struct Dev: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a server for development: no configuration, sample accounts, an inbox.",
        discussion: """
            Stands in for the Firebase Auth emulator: any API key is taken, any app counts as registered, any project id exists, and \
            `Authorization: Bearer owner` is admin. Mails go nowhere but into the inbox. It is NOT for production.

            EXAMPLES
              onward dev
              onward dev --port 9099 --project my-app --authorize app.example.test
              onward dev --tokens signed           ID tokens that libraries verify with /.well-known/jwks.json.
              onward dev --data ./onward-data      Keeps accounts and mails between runs.

            POINT AN SDK AT IT
              connectAuthEmulator(auth, "http://localhost:8080")     in a web app
              Auth.auth().useEmulator(withHost: "localhost", port: 8080)     in an iOS app
              FIREBASE_AUTH_EMULATOR_HOST=localhost:8080     for an admin SDK
            """)

    @Option(help: "The port; 0 takes a free one.") var port: UInt16 = 8080
    @Option(help: ArgumentHelp("Keep the database here. (default: a temporary folder, gone at the end)", valueName: "folder"))
    var data: String?
    @Option(
        help: ArgumentHelp("The one IP address to listen on. (default: this machine only, 127.0.0.1 and [::1])", valueName: "address"))
    var listen: String?
    @Option(help: ArgumentHelp("A host that links may lead on to, beside this machine; repeatable.", valueName: "domain"))
    var authorize: [String] = []
    @Option(help: ArgumentHelp("The id of the sample project.", valueName: "id")) var project = "demo-project"
    @Option(
        help: ArgumentHelp(
            "How ID tokens are made: unsigned, as admin SDKs want them of an emulator, or signed, as `onward serve` makes them.",
            valueName: "style"))
    var tokens = Installation.TokenStyle.unsigned
    @Option(help: ArgumentHelp("The folder that holds Config and Public. (default: found beside the executable)", valueName: "folder"))
    var resources: String?

    @Flag(help: "Limit how often things may be tried, as onward serve does.") var limits = false

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
        defer { signals.cancel() }
        let dev = try DevConfiguration(port: port, listen: listen, project: project, authorize: authorize)
        let configuration = try dev.configuration(in: folder, resources: resources, limits: limits)
        let installation = try await Installation(configuration, mode: .development(sample: dev.project, tokens: tokens), logger: log)
        if try await installation.store.countAccounts(in: dev.project.id) == 0 {
            try await SampleAccounts(
                accounts: installation.accounts, actions: installation.actions, project: dev.project,
                continueURL: dev.origin.origin + "/"
            ).seed()
        }
        try await installation.run(until: stop) { doors in
            FileHandle.standardOutput.write(Data(dev.greeting(addresses: doors.plain, folder: folder.path, isKept: data != nil).utf8))
        }
    }
}

extension Installation.TokenStyle: ExpressibleByArgument {}
