import Foundation
import Store
import Testing

/// The engines that every rule of a store is tested on.
enum Engine: CaseIterable {
    case sqlite

    /// A new, empty database for this test.
    func database() throws -> TestDatabase { TestDatabase(engine: self, folder: try TemporaryFolder.fresh()) }

    /// A store over one.
    func store() async throws -> Store { try await database().open() }
}

/// Gives each test case a folder of its own, and takes it away afterwards.
struct TemporaryFolder: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal private static var current: URL?
    let isRecursive = true

    /// A new folder in that of the running test.
    static func fresh() throws -> URL {
        let folder = try #require(current, "the suite lacks .temporaryFolder").appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    func provideScope(for test: Test, testCase: Test.Case?, performing body: @concurrent @Sendable () async throws -> Void) async throws {
        guard testCase != nil else { return try await body() }
        let folder = FileManager.default.temporaryDirectory.appending(path: "onward-\(UUID().uuidString)")
        // A connection that is just closing takes its files away by itself.
        defer { try? FileManager.default.removeItem(at: folder) }
        try await Self.$current.withValue(folder) { try await body() }
    }
}

extension Trait where Self == TemporaryFolder {
    static var temporaryFolder: Self { TemporaryFolder() }
}
