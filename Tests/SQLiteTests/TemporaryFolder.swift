import Foundation

/// Runs `body` with the path of a database that does not exist yet, in a new folder.
func withPath<Result>(_ body: (String) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "onward-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // May fail, because a connection that closes at the same time deletes files itself.
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.appending(path: "onward.sqlite").path())
}
