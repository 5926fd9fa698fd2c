import Foundation
import Store
import Testing

/// The database engines that the contract of a store is tested on.
enum Engine: CaseIterable {
    case sqlite, postgreSQL
    /// Through PgBouncer in transaction mode.
    case pooledPostgreSQL

    /// Creates an empty database for the running test.
    func database() throws -> TestDatabase { try TestDatabase(engine: self, folder: try TemporaryFolder.fresh()) }

    /// Creates a store with an empty database.
    func store() async throws -> Store { try await database().open() }
}

/// Creates a temporary folder for each test case and deletes it afterwards.
struct TemporaryFolder: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal private static var current: URL?
    let isRecursive = true

    /// Creates a folder inside the folder of the running test.
    static func fresh() throws -> URL {
        let folder = try #require(current, "the suite lacks .temporaryFolder").appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    func provideScope(for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void) async throws {
        guard testCase != nil else { return try await body() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "onward-\(UUID().uuidString)")
        // May fail, because a connection that closes meanwhile deletes files itself.
        defer { try? FileManager.default.removeItem(at: folder) }
        try await Self.$current.withValue(folder) { try await body() }
    }
}

extension Trait where Self == TemporaryFolder {
    static var temporaryFolder: Self { TemporaryFolder() }
}
