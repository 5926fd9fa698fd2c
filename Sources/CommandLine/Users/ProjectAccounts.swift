import Accounts
import ArgumentParser
import Base
import Configuration
import Network
import Server
import Store

/// The options of commands about the accounts of one project.
struct ProjectAccounts: ParsableArguments {
    @OptionGroup var file: ConfigurationFile
    @Option(help: ArgumentHelp("The project; required if there are several.", valueName: "id")) var project: String?

    /// The parts of an installation that these commands use.
    struct Context {
        let store: Store
        let secrets: Secrets
        let passwords: Passwords
        let outbox: Outbox
        /// The project with the settings of admins.
        let settings: Project
        var project: ProjectID { settings.id }
        let database: DatabaseSetting
        /// The clock of the stored times.
        let clock: HighWaterClock

        /// The accounts as an admin changes them. Mails wait in the database for the server. No
        /// user signs in, so no token is issued.
        var accounts: Accounts {
            Accounts(
                store: store, passwords: passwords, tokens: .unsigned(names: TokenNames(), now: clock.now), outbox: outbox,
                secrets: secrets, now: clock.now, random: System.random, linkKey: { Projects([$0]).linkKey(of: $0) })
        }
    }

    /// Opens the database while `body` runs; the server may have it open too.
    /// - Parameters:
    ///   - creating: whether a database that does not exist is created.
    ///   - substitute: the database that is used if the configured one has no tables, so that it is
    ///     left as it is; nil: none.
    func open<T>(
        creating: Bool = false, insteadOfEmpty substitute: DatabaseSetting? = nil, _ body: (Context) async throws -> T
    ) async throws -> T {
        let configuration = try file.read()
        let ids = configuration.projects.map(\.id)
        let named = project.map { id in configuration.projects.filter { $0.id.rawValue == id } } ?? configuration.projects
        guard named.count == 1, let configured = named.first else {
            throw Failure("expected --project with one of the projects: \(ids.map(\.rawValue).joined(separator: ", "))")
        }
        var database = configuration.database
        if let substitute, try await !database.hasTables() { database = substitute }
        let workerPool = WorkerPool(label: "onward.passwords", width: 1, maxWaiting: 1)
        let settings = await StoredAdminSettings(database: database).applied(to: configured)
        return try await database.withStore(creating: creating) { store in
            let secrets = try await store.recognize(try configuration.lookedUpSecrets)
            let passwords = Passwords(workerPool: workerPool, cost: .owasp, secrets: secrets, random: System.random)
            let outbox = Outbox(secrets: secrets, random: System.random)
            let clock = HighWaterClock(after: try await store.clockMark(), wall: try await store.wallClock())
            store.tell(configuration.events.map(\.endpoint), now: clock.now, random: System.random)
            return try await body(
                Context(
                    store: store, secrets: secrets, passwords: passwords, outbox: outbox, settings: settings,
                    database: database, clock: clock))
        }
    }
}

/// A command about the accounts of one project.
protocol AccountsCommand: AsyncParsableCommand {
    var accounts: ProjectAccounts { get }
    func run(in context: ProjectAccounts.Context) async throws
}

extension AccountsCommand {
    func run() async throws {
        try await running { try await accounts.open { context in try await run(in: context) } }
    }
}
