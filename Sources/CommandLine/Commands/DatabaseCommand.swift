import ArgumentParser
import Configuration
import Server
import Store

/// A command that works on the database of a configuration. The server may have it open, too.
protocol DatabaseCommand: AsyncParsableCommand {
    var file: ConfigurationFile { get }
    /// Whether the secret is read, as to find the mails to an address.
    var needsSecret: Bool { get }
    /// Whether a database that does not exist is created.
    var createsDatabase: Bool { get }
    func run(in store: Store, _ configuration: Configuration) async throws
}

extension DatabaseCommand {
    var needsSecret: Bool { false }
    var createsDatabase: Bool { false }

    func run() async throws {
        try await running {
            let configuration = try needsSecret ? file.read() : file.readWithoutSecrets()
            try await configuration.database.withStore(creating: createsDatabase) { store in try await run(in: store, configuration) }
        }
    }
}
