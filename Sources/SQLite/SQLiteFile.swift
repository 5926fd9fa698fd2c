public import Accounts
internal import CSQLite
internal import Foundation
internal import Store

/// Operations on a database file as a whole.
public enum SQLiteFile {
    /// Creates an empty file that only its owner can read and write. If root creates it, it belongs
    /// to the owner of `model`, or else of its folder: the server is not root and has to open it.
    /// SQLite gives the files beside a database the owner of the database. Throws `Unavailable` if
    /// the file exists.
    /// - Parameter model: a file that the new one replaces or is beside; it need not exist.
    public static func create(_ file: String, ownedLike model: String? = nil) throws(ActionError) {
        // With O_EXCL, no link of the folder's owner leads root to another file.
        let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DatabaseFile.unusable(file, "it cannot be created: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        guard geteuid() == 0 else { return }
        let folder = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
        var owner = stat()
        guard [model, folder].compactMap(\.self).contains(where: { stat($0, &owner) == 0 }),
            fchown(descriptor, owner.st_uid, owner.st_gid) == 0
        else {
            let cause = String(cString: strerror(errno))
            unlink(file)
            throw DatabaseFile.unusable(file, "it cannot be given to the owner of its folder: \(cause)")
        }
    }

    /// A sentence that says why a missing database is a lost one and must not be created, and what
    /// to do; nil if it is there, or was never used. SQLite would delete the commits in a log that
    /// was left. A start that was cut short leaves none, because the database is created before.
    public static func loss(of database: String) -> String? {
        let files = FileManager.default
        guard !files.fileExists(atPath: database) else { return nil }
        let traces = ["-wal", "-server"].filter { suffix in
            ((try? files.attributesOfItem(atPath: database + suffix))?[.size] as? Int ?? 0) > 0
        }
        guard let first = traces.first else { return nil }
        let evidence = first == "-wal" ? "its write-ahead log is not" : "a server has used it"
        let names = traces.map { database + $0 }.joined(separator: " and ")
        return """
            it is missing, and \(evidence); put it back, or run `onward restore` with a backup, or move \(names) away to begin with an \
            empty one
            """
    }

    /// Copies one consistent state of a database, which other processes may go on using, into an
    /// empty file. Copied in one step, because a copy in several steps restarts whenever another
    /// connection writes; in WAL mode no writer waits for it.
    /// Source: sqlite.org/backup.html
    public static func copy(_ database: String, to file: String) throws(ActionError) {
        do throws(SQLFailure) {
            let source = try SQLiteConnection(path: database, access: .readOnly)
            let target = try SQLiteConnection(path: file, access: .readWrite)
            guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
                throw SQLFailure(lastOf: target.handle)
            }
            let outcome = sqlite3_backup_step(backup, -1)
            guard sqlite3_backup_finish(backup) == SQLITE_OK, outcome == SQLITE_DONE else { throw SQLFailure(lastOf: target.handle) }
            try target.close()
            try source.close()
        } catch { throw ActionError(.failed(cause: "\(database) cannot be copied to \(file): \(error.cause)")) }
    }

    /// Folds the write-ahead log into a database that no other process uses, so that it is a single
    /// file, which can be read where nothing can be written. Then checks the whole file, and throws
    /// the first damage that it finds.
    public static func foldAndCheck(_ file: String) throws(ActionError) {
        do throws(SQLFailure) {
            let connection = try SQLiteConnection(path: file, access: .readWrite, pragmas: [.rollbackJournal])
            guard var row = try connection.run("PRAGMA integrity_check(1)").first else {
                throw .failed(cause: "\(file) could not be checked")
            }
            let state: String = try row.next()
            let hasOrphans = try !connection.run("PRAGMA foreign_key_check").isEmpty
            try connection.close()
            if state != "ok" { throw .failed(cause: "\(file) is damaged: \(state)") }
            if hasOrphans { throw .failed(cause: "\(file) is damaged: rows refer to rows that are missing") }
        } catch { throw ActionError(error) }
    }

    /// Whether another connection, of this process or another, has the database open. False for a
    /// file that cannot be opened.
    public static func isInUse(_ database: String) -> Bool {
        let opened = try? SQLiteConnection(path: database, access: .readWrite, busyMilliseconds: 0, readsSchema: false)
        guard let connection = opened else { return false }
        // In WAL mode an exclusive transaction in this locking mode needs a lock that every open
        // connection refuses.
        // Source: sqlite.org/pragma.html#pragma_locking_mode
        do throws(SQLFailure) {
            for sql in ["PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "COMMIT"] { try connection.run(sql) }
            return false
        } catch { return connection.isBusy }
    }
}
