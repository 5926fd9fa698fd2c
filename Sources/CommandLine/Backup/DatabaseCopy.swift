import Base
import Configuration
import Foundation
import SQLite
import Store

/// A copy of a database. It has a temporary name until it is complete, checked and synced to disk,
/// and is then renamed or removed (D9).
struct DatabaseCopy {
    private let path: String
    private let target: String

    /// Creates the copy in the folder of `target`. The database is not needed after that.
    /// - Parameter isDatabase: whether the target is a database of the server, whose user has to
    ///   open it even if root makes it.
    init(of database: String, for target: String, isDatabase: Bool = false) throws {
        path = "\(target).partial-\(UUID().uuidString.prefix(8))"
        self.target = target
        do {
            if isDatabase { try SQLiteFile.create(path, ownedLike: target) } else { try PrivateFile(new: path).close() }
            try SQLiteFile.copy(database, to: path)
        } catch {
            discard()
            throw error
        }
    }

    /// Ends all codes and sessions in the copy, so that a restore does not revive them, then checks
    /// and syncs it.
    /// - Parameter finish: further changes to the copy.
    func complete(_ finish: (SQLiteDatabase) async throws -> Void = { _ in }) async throws {
        do {
            let connection = try SQLiteDatabase(path: path)
            do {
                try await Store.withoutMigrating(connection).revokeCredentials(at: System.now())
                try await finish(connection)
            } catch {
                try await connection.close()
                throw error
            }
            try await connection.close()
            try SQLiteFile.foldAndCheck(path)
            try Self.synchronize(path)
        } catch {
            discard()
            throw error
        }
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

    /// Throws if a file to be written is the database or one of the files beside it, by its path or
    /// by another name.
    static func require(_ target: String, isNotPartOf database: String) throws(Failure) {
        let resolved = URL(filePath: database).resolvingSymlinksInPath().path(percentEncoded: false)
        let suffixes = ["", "-wal", "-shm", "-journal", "-server"]
        let places = [database, resolved].flatMap { path in suffixes.flatMap { Self.places(of: path + $0) } }
        guard Set(places).isDisjoint(with: Self.places(of: target)) else {
            throw Failure("\(target) is part of the database \(database) itself; name another file")
        }
    }

    /// The identity of a file, if it exists, and its name in the folder that it is in.
    private static func places(of path: String) -> [String] {
        let file = URL(filePath: path)
        let folder = DatabaseSetting.identity(ofFile: file.deletingLastPathComponent().path(percentEncoded: false))
        return [DatabaseSetting.identity(ofFile: path), folder.map { "\($0)/\(file.lastPathComponent)" }].compactMap(\.self)
    }

    func discard() { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) } }

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
                Docs/Backup.md has the commands (PostgreSQL).
                """)
        }
    }
}
