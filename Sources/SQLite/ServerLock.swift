internal import Foundation
internal import Store

/// A lock on a file beside the database. Running servers share it, and a server that starts tries
/// to have it alone: so it learns whether another server is running, which SQLite's locks do not
/// tell. Released when this object goes, or the process ends.
final class ServerLock: Sendable {
    private let descriptor: Int32

    init(of file: DatabaseFile) throws(SQLFailure) {
        let path = file.path + "-server"
        // Fails if there is one, which has its owner.
        try? SQLiteFile.create(path, ownedLike: file.path)
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .failed(cause: "\(path) cannot be created: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// False if another server, which is running or starting, has the lock.
    func acquireAlone() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    /// False if another server, which is starting, has the lock alone.
    func acquireShared() -> Bool { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }
}
