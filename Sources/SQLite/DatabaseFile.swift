internal import Accounts
internal import Foundation
internal import Store

/// The file of a database: creates it, and explains to operators why it cannot be used.
struct DatabaseFile: Sendable {
    let path: String
    /// The file at `path` when it was opened first.
    private let original: Identity?

    /// Creates the file if there is none. Throws `Unavailable` with a sentence for the operator if
    /// it cannot be used (D7).
    init(preparing path: String) throws(ActionError) {
        let files = FileManager.default
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        var isFolder: ObjCBool = false
        guard files.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw Self.unusable(path, "its folder does not exist")
        }
        guard files.isWritableFile(atPath: folder) else { throw Self.unusable(path, "its folder cannot be written") }
        if files.fileExists(atPath: path, isDirectory: &isFolder) {
            guard !isFolder.boolValue else { throw Self.unusable(path, "it is a folder") }
            guard files.isWritableFile(atPath: path) else { throw Self.unusable(path, "it cannot be written") }
        } else {
            if let loss = SQLiteFile.loss(of: path) { throw Self.unusable(path, loss) }
            // Only the owner may read password hashes. SQLite gives the WAL the same permissions.
            do throws(ActionError) { try SQLiteFile.create(path) } catch {
                // Unless another process has created it since the check.
                guard files.fileExists(atPath: path) else { throw error }
            }
        }
        self.path = path
        original = Identity(path)
    }

    /// The file by whose lock servers know of each other.
    var serverPath: String { path + "-server" }

    static func unusable(_ path: String, _ why: String) -> ActionError {
        ActionError(.failed(cause: "The database \(path) cannot be used: \(why)."))
    }

    /// The write-ahead log that is beside the file now.
    var wal: Identity? { Identity(path + "-wal") }

    /// Throws if there is another file at `path` now, or none. SQLite goes on writing into a file
    /// that was moved or deleted, and every acknowledged commit would be gone after a restart (D4).
    /// - Parameter wal: the write-ahead log that must be beside it; nil: any.
    func checkIdentity(wal: Identity? = nil) throws(SQLFailure) {
        guard original == Identity(path), wal == nil || wal == self.wal else {
            throw .failed(
                cause: """
                    The database \(path), or its -wal, was moved, deleted or replaced: put it back. If it was deleted, copy both while \
                    Onward is running, because they end with it: `ls -l /proc/\(getpid())/fd` shows them as deleted.
                    """)
        }
    }

    /// Identifies a file whatever its name is.
    struct Identity: Sendable, Equatable {
        private let device: UInt
        private let inode: UInt

        fileprivate init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
        }
    }
}
