import Foundation
import PostgreSQL
import SQLite
import Store

/// The database engine of worlds and of servers in end-to-end tests: SQLite, or PostgreSQL if the
/// environment variable ONWARD_TEST_ENGINE is `postgresql`.
package enum ChosenEngine {
    private static let isPostgreSQL = ProcessInfo.processInfo.environment["ONWARD_TEST_ENGINE"] == "postgresql"

    /// An empty database.
    /// - Parameter path: where it is, if it is a file.
    static func database(at path: String) async throws -> any SQLDatabase {
        guard isPostgreSQL else { return try SQLiteDatabase(path: path) }
        var options = PostgreSQLDatabase.Options(url: try PostgreSQLCluster.newDatabase().url)
        // Hundreds of tests on a busy machine.
        (options.deadlines.waiting, options.deadlines.response) = (.seconds(60), .seconds(60))
        return try await PostgreSQLDatabase(options)
    }

    /// The value of `database` in the configuration of a server.
    package static func setting(at path: String) throws -> String {
        isPostgreSQL ? #"{url: "\#(try PostgreSQLCluster.newDatabase().url)"}"# : #"{path: "\#(path)"}"#
    }
}
