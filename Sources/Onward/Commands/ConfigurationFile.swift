import ArgumentParser
import Store

/// The option `--config` of every command that reads the configuration.
struct ConfigurationFile: ParsableArguments {
    @Option(
        name: .customLong("config"), help: ArgumentHelp("The configuration file.", valueName: "path"),
        completion: .file(extensions: ["yaml"]))
    var path = "Config/onward.yaml"

    func read() throws(InvalidConfiguration) -> Configuration { try Configuration(file: path, environment: System.environment) }

    /// Reads the file, and refuses one that does not say how mails are sent.
    func readForServer() throws(InvalidConfiguration) -> Configuration {
        let configuration = try read()
        try configuration.requireMail(file: path)
        return configuration
    }
}

extension Configuration {
    /// Opens the database while `body` runs; the server may have it open too.
    func withStore<T>(_ body: (Store) async throws -> T) async throws -> T { try await database.withStore(body) }

    /// Opens the database without migrating it while `body` runs, since a server of another version
    /// may use it. Throws `Failure` if there is none.
    func withStoreAsItIs<T>(_ body: (Store) async throws -> T) async throws -> T { try await database.withStoreAsItIs(body) }
}
