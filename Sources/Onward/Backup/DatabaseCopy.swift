import Foundation
import SQLite
import Store

/// A copy of a database under a name of its own until it is whole, checked and on the disk; then it takes its place, or goes (D9).
struct DatabaseCopy {
    private let path: String
    private let target: String

    /// Makes it beside `target`, with everything ended that was handed out: whoever makes it the database revives nothing.
    /// - Parameter finish: what else is to be done in it.
    static func make(
        of database: String, for target: String, finish: (SQLiteDatabase) async throws -> Void = { _ in }
    ) async throws -> DatabaseCopy {
        let copy = DatabaseCopy(path: "\(target).partial-\(UUID().uuidString.prefix(8))", target: target)
        do {
            try PrivateFile(new: copy.path).close()
            try Copying.copy(database, to: copy.path)
            let connection = try SQLiteDatabase(path: copy.path)
            do {
                try await Store.asItIs(connection).endEverythingHandedOut(at: System.now())
                try await finish(connection)
            } catch {
                try await connection.close()
                throw error
            }
            try await connection.close()
            try Copying.finish(copy.path)
            try Self.synchronize(copy.path)
        } catch {
            copy.discard()
            throw error
        }
        return copy
    }

    /// Gives it the name that it is for, and returns when the disk knows.
    /// - Parameter replaces: whether it takes the place of a file; otherwise `Failure` where there is one.
    func place(replaces: Bool = false) throws {
        // A link, unlike a renaming, is not made over a file.
        guard (replaces ? rename(path, target) : link(path, target)) == 0 else {
            let cause =
                errno == EEXIST ? "there is a file \(target) already" : "\(target) cannot be made: \(String(cString: strerror(errno)))"
            discard()
            throw Failure(cause)
        }
        discard()
        try Self.synchronize(URL(filePath: target).deletingLastPathComponent().path(percentEncoded: false))
    }

    private func discard() { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) } }

    /// - Parameter path: a file's, or a folder's for the names in it.
    private static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw Failure("\(path) is not on the disk: \(String(cString: strerror(errno)))")
        }
    }
}
