import Foundation
import Testing

/// Runs `body` with the path of a database that is not there yet, in a folder of its own.
func withPath<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "onward-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // A connection that is just closing takes its files away by itself.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: "onward.sqlite").path())
}
