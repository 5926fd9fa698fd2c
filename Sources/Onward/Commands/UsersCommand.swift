import Accounts
import ArgumentParser
import EmailActions
import Queues
import SQLite
import Store

/// `onward users`, which shows, changes, imports and exports accounts.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Shows, disables and deletes accounts; imports, exports and erases them.",
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
            """,
        subcommands: [
            UsersList.self, UsersGet.self, UsersDisable.self, UsersEnable.self, UsersDelete.self, UsersImport.self, UsersExport.self,
            UsersErase.self,
        ])

    /// The parts of an installation that these commands use.
    struct Context {
        let store: Store
        let secrets: Secrets
        let passwords: Passwords
        let outbox: Outbox
        let project: ProjectID
        /// The project with the settings of admins.
        let settings: Project
        let database: String
        /// The clock of the stored times.
        let clock: HighWaterClock

        /// The actions of an admin. Mails wait in the database for the server.
        var actions: EmailActions {
            EmailActions(
                store: store, passwords: passwords, outbox: outbox, secrets: secrets,
                linkKey: { Projects([$0]).linkKey(of: $0) }, now: clock.now, random: System.random)
        }
    }

    /// Opens the database while `body` runs; the server may have it open too.
    /// - Parameter project: the project; nil if there is only one.
    static func open<T>(_ file: ConfigurationFile, project: String?, _ body: (Context) async throws -> T) async throws -> T {
        let configuration = try file.read()
        let ids = configuration.projects.map(\.id)
        guard let id = project.map(ProjectID.init(rawValue:)) ?? (ids.count == 1 ? ids.first : nil),
            let configured = configuration.projects.first(where: { $0.id == id })
        else {
            throw Failure("expected --project with one of the projects: \(ids.map(\.rawValue).joined(separator: ", "))")
        }
        let workerPool = WorkerPool(label: "onward.passwords", width: 1, maxWaiting: 1)
        let settings = await StoredAdminSettings(database: configuration.database).applied(to: configured)
        return try await withStore(at: configuration.database) { store in
            let secrets = try await store.recognize(try configuration.lookedUpSecrets)
            let passwords = Passwords(workerPool: workerPool, cost: .owasp, secrets: secrets, random: System.random)
            let outbox = Outbox(secrets: secrets, random: System.random)
            let clock = HighWaterClock(after: try await store.clockMark(), wall: System.now)
            return try await body(
                Context(
                    store: store, secrets: secrets, passwords: passwords, outbox: outbox, project: id, settings: settings,
                    database: configuration.database, clock: clock))
        }
    }

    static func withStore<T>(at path: String, _ body: (Store) async throws -> T) async throws -> T {
        let connection = try SQLiteDatabase(path: path)
        let result: T
        do { result = try await body(try await Store.open(connection)) } catch {
            try await connection.close()
            throw error
        }
        try await connection.close()
        return result
    }
}
