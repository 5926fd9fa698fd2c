import ArgumentParser
import SQLite
import Store

/// The option that names the configuration, alike in every command that needs it.
struct ConfigurationFile: ParsableArguments {
    @Option(name: .customLong("config"), help: ArgumentHelp("The configuration file.", valueName: "path"))
    var path = "Config/onward.yaml"

    func read() throws(InvalidConfiguration) -> Configuration { try Configuration(file: path, environment: System.environment) }
}

extension Configuration {
    /// Opens the database for as long as `body` runs; the server may have it open too.
    func withStore(_ body: (Store) async throws -> Void) async throws {
        let connection = try SQLiteDatabase(path: database)
        do { try await body(try await Store.open(connection)) } catch {
            try await connection.close()
            throw error
        }
        try await connection.close()
    }
}
