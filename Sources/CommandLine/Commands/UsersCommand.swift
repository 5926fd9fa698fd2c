import Accounts
import ArgumentParser
import Base
import Configuration
import Network
import Server
import Store

/// `onward users`, which shows, changes, merges, imports and exports accounts.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Shows, disables, merges and deletes accounts; imports, exports and erases them.",
        discussion: """
            Import and export use the format of the Firebase CLI, with password hashes, so that users keep their passwords. The server \
            may be running.

            EXAMPLES
              onward users get ada@example.com
              onward users disable ada@example.com
              firebase auth:export accounts.json
              onward users import accounts.json --hash-config hash_config.txt
              onward users export accounts.json
              onward users erase ada@example.com --project my-app
              onward users merge --into 2f9cVmS1mB0qkq8G --from Xk3nTq0pLw72hYbA --dry-run
            """,
        subcommands: [
            UsersList.self, UsersGet.self, UsersDisable.self, UsersEnable.self, UsersDelete.self, UsersMerge.self, UsersUnmerge.self,
            UsersImport.self, UsersExport.self, UsersErase.self,
        ])

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
    ///   - project: the project; nil if there is only one.
    ///   - creating: whether a database that does not exist is created.
    ///   - substitute: the database that is used if the configured one has no tables, so that it is
    ///     left as it is; nil: none.
    static func open<T>(
        _ file: ConfigurationFile, project: String?, creating: Bool = false, insteadOfEmpty substitute: DatabaseSetting? = nil,
        _ body: (Context) async throws -> T
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
            return try await body(
                Context(
                    store: store, secrets: secrets, passwords: passwords, outbox: outbox, settings: settings,
                    database: database, clock: clock))
        }
    }
}
