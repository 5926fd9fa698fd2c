import Base
import Foundation
import Network
import Store
import Testing
import World

/// The database engines that the contract of a store is tested on.
enum Engine: CaseIterable {
    case sqlite, postgreSQL
    /// Through PgBouncer in transaction mode.
    case pooledPostgreSQL

    static let allCases: [Engine] = OtherServers.mayRun ? [.sqlite, .postgreSQL, .pooledPostgreSQL] : [.sqlite]

    private var isPooled: Bool { self == .pooledPostgreSQL }

    /// Creates a database without tables for the running test.
    func emptyDatabase() throws -> TestDatabase {
        if self == .sqlite { return TestDatabase(in: try TemporaryFolder.fresh()) }
        return TestDatabase(try TemporaryFolder.dropAtEnd(try PostgreSQLCluster.newDatabase()), isPooled: isPooled)
    }

    /// Creates a database without rows for the running test.
    func database() async throws -> TestDatabase {
        if self == .sqlite { return try emptyDatabase() }
        return TestDatabase(try TemporaryFolder.dropAtEnd(try await PostgreSQLCluster.newMigratedDatabase()), isPooled: isPooled)
    }

    /// Creates a store without rows.
    func store() async throws -> Store { try await database().open() }
}

/// Creates a temporary folder for each test case, and deletes it afterwards with the databases that
/// the test created on a server.
struct TemporaryFolder: SuiteTrait, TestTrait, TestScoping {
    private struct Contents: Sendable {
        let folder = FileManager.default.temporaryDirectory.appending(path: "onward-\(UUID().uuidString)")
        let databases = Locked<[PostgreSQLTestDatabase]>([])
    }

    @TaskLocal private static var current: Contents?
    let isRecursive = true

    private static func ofTest() throws -> Contents { try #require(current, "the suite lacks .temporaryFolder") }

    /// Creates a folder inside the folder of the running test.
    static func fresh() throws -> URL {
        let folder = try ofTest().folder.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    /// Drops a database at the end of the running test.
    static func dropAtEnd(_ database: PostgreSQLTestDatabase) throws -> PostgreSQLTestDatabase {
        try ofTest().databases.update { $0.append(database) }
        return database
    }

    func provideScope(for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void) async throws {
        guard testCase != nil else { return try await body() }
        let contents = Contents()
        // May fail, because a connection that closes at the same time deletes files itself.
        defer { try? FileManager.default.removeItem(at: contents.folder) }
        try await Self.$current.withValue(contents) { try await body() }
        for database in contents.databases.value { try database.drop() }
    }
}

extension Trait where Self == TemporaryFolder {
    static var temporaryFolder: Self { TemporaryFolder() }
}
