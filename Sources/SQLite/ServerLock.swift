internal import Foundation
internal import Store

/// A lock on a file beside the database. Running servers share it, and a server that starts tries
/// to have it alone: so it learns whether another server is running, which SQLite's locks do not
/// tell. Released when this object goes, or the process ends.
final class ServerLock: Sendable {
    private let descriptor: Int32

    init(of file: DatabaseFile) throws(SQLFailure) {
        let path = file.serverPath
        // Fails if there is one, which has its owner.
        try? SQLiteFile.create(path, ownedLike: file.path)
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failed(cause: "\(path) cannot be created: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// Notes in the file that a server has used the database. On a full disk the note is left out.
    func noteUse() {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_size == 0 else { return }
        let note = Array("A server has used the database beside this file.\n".utf8)
        _ = write(descriptor, note, note.count)
    }

    /// False if another server, which is running or starting, has the lock.
    func acquireAlone() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// False if another server, which is starting, has the lock alone.
    func acquireShared() -> Bool { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }
}
