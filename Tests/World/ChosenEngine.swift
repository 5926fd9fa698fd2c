import Foundation
import PostgreSQL
import SQLite
import Store
import Synchronization

/// The database engine of worlds and of servers in end-to-end tests: SQLite, or PostgreSQL if the
/// environment variable ONWARD_TEST_ENGINE is `postgresql`.
package enum ChosenEngine {
    package static let isPostgreSQL = ProcessInfo.processInfo.environment["ONWARD_TEST_ENGINE"] == "postgresql"

    /// Connects to one new database, each time anew.
    /// - Parameter path: where it is, if it is a file.
    static func connections(to path: String) throws -> @Sendable () async throws -> any SQLDatabase {
        guard isPostgreSQL else { return { try SQLiteDatabase(path: path) } }
        let url = try PostgreSQLCluster.newDatabase().url
        return { try await PostgreSQLDatabase(PostgreSQLDatabase.Options(patientlyAt: url)) }
    }

    /// The databases of servers, by the path that each would have as a file.
    private static let databases = Mutex<[String: String]>([:])

    /// The value of `database` in the configuration of a server. Servers with the same path share a
    /// database.
    package static func setting(at path: String) throws -> String {
        try url(at: path).map { #"{url: "\#($0)"}"# } ?? #"{path: "\#(path)"}"#
    }

    /// The URL of a server's database; nil if it is a file.
    package static func url(at path: String) throws -> String? {
        guard isPostgreSQL else { return nil }
        return try databases.withLock { databases in
            let url = try databases[path] ?? PostgreSQLCluster.newDatabase().url
            databases[path] = url
            return url
        }
    }
}
