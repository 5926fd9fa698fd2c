import Accounts
import ArgumentParser
import EmailActions
import Queues
import SQLite
import Store

/// `onward users`: accounts in and out.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "users",
        abstract: "Brings accounts in from Firebase or elsewhere, and takes them out again.",
        discussion: """
            Both ways in the format of Firebase's own tool, with the hashes of passwords: nobody has to choose a new one. A server may run \
            meanwhile.

            EXAMPLES
              firebase auth:export accounts.json
              onward users import accounts.json --hash-config hash_config.txt
              onward users export accounts.json
            """,
        subcommands: [UsersImport.self, UsersExport.self])

    /// What the commands below need of an installation.
    struct Premises {
        let store: Store
        let passwords: Passwords
        let project: ProjectID
        let database: String
    }

    /// Opens the database for as long as `body` runs; the server may have it open too.
    /// - Parameter project: nil where there is only one.
    static func open<T>(_ file: ConfigurationFile, project: String?, _ body: (Premises) async throws -> T) async throws -> T {
        let configuration = try file.read()
        let ids = configuration.projects.map(\.id)
        guard let id = project.map(ProjectID.init(rawValue:)) ?? (ids.count == 1 ? ids.first : nil), ids.contains(id) else {
            throw Failure("name one of the projects by --project: \(ids.map(\.rawValue).joined(separator: ", "))")
        }
        let workerPool = WorkerPool(label: "onward.passwords", width: 1, maxWaiting: 1)
        let passwords = Passwords(workerPool: workerPool, cost: .owasp, secrets: try configuration.lookedUpSecrets, random: System.random)
        return try await withStore(at: configuration.database) { store in
            try await body(Premises(store: store, passwords: passwords, project: id, database: configuration.database))
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
