import CSQLite
import Foundation
import Synchronization

/// A simulated disk below SQLite that knows what would survive a power cut, on a system that
/// reports each failed write-back once: written data is durable when a sync has succeeded; data
/// written before a failed sync is durable only if it is written again. Implemented as a VFS around
/// the system's.
enum ForgetfulDisk {
    private struct File {
        var durable: [UInt8] = []
        /// The writes since the last sync.
        var written: [(offset: Int, bytes: [UInt8])] = []
        /// Nil: no sync fails.
        var syncsUntilFailure: Int?
        var isFull = false
    }

    private static let files = Mutex<[String: File]>([:])
    /// SQLite's open files, by their addresses: the path, and the address of the system's methods.
    private static let open = Mutex<[UInt: (path: String, methods: UInt)]>([:])

    /// Puts the disk below a database and its WAL. Must be called before the database is opened.
    static func simulate(below path: String) {
        _ = registration
        files.withLock { files in for file in [path, path + "-wal"] { files[file] = File() } }
    }

    /// Makes one sync of the file fail, after so many that succeed.
    static func failSync(of path: String, after syncs: Int) { files.withLock { $0[path]?.syncsUntilFailure = syncs } }

    static func setFull(_ isFull: Bool, below path: String) { files.withLock { $0[path]?.isFull = isFull } }

    /// Writes the database as it would be after a power cut now to another path. The WAL is copied
    /// whole: every commit has synced it.
    static func cutPower(of path: String, into other: String) throws {
        try Data(files.withLock { $0[path]?.durable ?? [] }).write(to: URL(filePath: other))
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: other + "-wal")
    }

    // MARK: The VFS

    private static let registration: Void = {
        guard let system = sqlite3_vfs_find("unix") else { return }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.zName = UnsafePointer(strdup("forgetful"))
        vfs.pointee.pNext = nil
        vfs.pointee.xOpen = { _, name, file, flags, out in
            guard let system = sqlite3_vfs_find("unix"), let file else { return SQLITE_CANTOPEN }
            let code = system.pointee.xOpen(system, name, file, flags, out)
            guard code == SQLITE_OK, let name, flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) != 0 else { return code }
            let path = String(cString: name)
            guard files.withLock({ $0[path] != nil }) else { return code }
            open.withLock { $0[UInt(bitPattern: file)] = (path, UInt(bitPattern: file.pointee.pMethods)) }
            file.pointee.pMethods = methods(around: file.pointee.pMethods)
            return code
        }
        sqlite3_vfs_register(vfs, 1)
    }()

    /// The addresses of the methods around the system's, by the address of those. A database and a
    /// WAL have different ones.
    private static let replacements = Mutex<[UInt: UInt]>([:])

    private static func methods(around original: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods>? {
        let address = replacements.withLock { replacements in
            if let replacement = replacements[UInt(bitPattern: original)] { return replacement }
            let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            methods.initialize(to: original.pointee)
            methods.pointee.xWrite = { file, bytes, count, offset in
                let isFull = ForgetfulDisk.change(file) { file in
                    guard !file.isFull, let bytes else { return true }
                    file.written.append((Int(offset), Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))))
                    return false
                }
                let original = UnsafePointer<sqlite3_io_methods>(
                    bitPattern: ForgetfulDisk.open.withLock { $0[UInt(bitPattern: file)]?.methods ?? 0 })
                return isFull ? SQLITE_FULL : original?.pointee.xWrite(file, bytes, count, offset) ?? SQLITE_IOERR
            }
            methods.pointee.xSync = { file, _ in
                let fails = ForgetfulDisk.change(file) { file in
                    defer { file.written = [] }
                    let left = file.syncsUntilFailure
                    file.syncsUntilFailure = left == 0 ? nil : left.map { $0 - 1 }
                    if left == 0 { return true }
                    for (offset, bytes) in file.written {
                        file.durable += Array(repeating: 0, count: max(0, offset + bytes.count - file.durable.count))
                        file.durable.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
                    }
                    return false
                }
                return fails ? onward_sqlite_ioerr_fsync : SQLITE_OK
            }
            replacements[UInt(bitPattern: original)] = UInt(bitPattern: methods)
            return UInt(bitPattern: methods)
        }
        return UnsafePointer(bitPattern: address)
    }

    /// - Returns: What `change` returns; true for a file that is not simulated.
    private static func change(_ file: UnsafeMutablePointer<sqlite3_file>?, _ change: (inout File) -> Bool) -> Bool {
        guard let path = open.withLock({ $0[UInt(bitPattern: file)]?.path }) else { return true }
        return files.withLock { files in
            guard var file = files.removeValue(forKey: path) else { return true }
            defer { files[path] = file }
            return change(&file)
        }
    }
}
