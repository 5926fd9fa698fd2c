import Foundation
import SQLite
import Store

/// A copy of a database. It has a temporary name until it is complete, checked and synced to disk,
/// and is then renamed or removed (D9).
struct DatabaseCopy {
    private let path: String
    private let target: String

    /// Creates the copy in the folder of `target` and ends all codes and sessions in it, so that a
    /// restore does not revive them.
    /// - Parameter finish: further changes to the copy.
    static func make(
        of database: String, for target: String, finish: (SQLiteDatabase) async throws -> Void = { _ in }
    ) async throws -> DatabaseCopy {
        let copy = DatabaseCopy(path: "\(target).partial-\(UUID().uuidString.prefix(8))", target: target)
        do {
            try PrivateFile(new: copy.path).close()
            try SQLiteFile.copy(database, to: copy.path)
            let connection = try SQLiteDatabase(path: copy.path)
            do {
                try await Store.withoutMigrating(connection).revokeCredentials(at: System.now())
                try await finish(connection)
            } catch {
                try await connection.close()
                throw error
            }
            try await connection.close()
            try SQLiteFile.foldAndCheck(copy.path)
            try Self.synchronize(copy.path)
        } catch {
            copy.discard()
            throw error
        }
        return copy
    }

    /// Renames the copy to its target and syncs the folder.
    /// - Parameter replaces: whether an existing file is replaced; otherwise an existing file is an
    ///   error.
    func place(replaces: Bool = false) throws {
        // link(2), unlike rename(2), fails if the target exists.
        guard (replaces ? rename(path, target) : link(path, target)) == 0 else {
            let cause =
                errno == EEXIST ? "the file \(target) already exists" : "\(target) cannot be created: \(String(cString: strerror(errno)))"
            discard()
            throw Failure(cause)
        }
        discard()
        try Self.synchronize(URL(filePath: target).deletingLastPathComponent().path(percentEncoded: false))
    }

    private func discard() { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) } }

    /// - Parameter path: a file, or a folder to sync the names in it.
    private static func synchronize(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            throw Failure("\(path) cannot be synced to disk: \(String(cString: strerror(errno)))")
        }
    }
}

extension DatabaseSetting {
    /// The path of an SQLite database. Throws a sentence for the operator for any other.
    func requireSQLite(for command: String) throws(Failure) -> String {
        switch self {
        case .sqlite(let path): path
        case .postgreSQL:
            throw Failure(
                """
                `onward \(command)` is for SQLite; \(name) is backed up and restored by PostgreSQL's means: snapshots of its disk, \
                pg_basebackup with an archive of the write-ahead log, or pg_dump. After a restore run `onward store revoke-credentials`. \
                Docs/Operations.md has the commands (Back up and restore PostgreSQL).
                """)
        }
    }
}
