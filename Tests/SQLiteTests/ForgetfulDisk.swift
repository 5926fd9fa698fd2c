import Foundation
import CSQLite
import Synchronization

/// What of a database file is on the disk, as a system keeps it that tells of each write that failed once, and then forgets it: what was
/// written is there when a sync has said so; what was written before a sync that failed is there only when it is written once more.
/// It is SQLite's own door for such tests, a VFS around the system's.
enum ForgetfulDisk {
    private struct Disk {
        var kept: [UInt8] = []
        /// What no sync was asked for yet.
        var written: [(place: Int, bytes: [UInt8])] = []
        /// Nil: they never fail.
        var syncsUntilOneFails: Int?
        var isFull = false
    }

    private static let disks = Mutex<[String: Disk]>([:])
    /// By the addresses that SQLite has open files at.
    private static let paths = Mutex<[UInt: String]>([:])

    /// To be called before anybody opens the database.
    static func lies(under path: String) {
        _ = registration
        disks.withLock { $0[path] = Disk() }
    }

    /// Lets one sync of the file fail, after so many that do not, and none behind it.
    static func failSync(under path: String, after syncs: Int) { disks.withLock { $0[path]?.syncsUntilOneFails = syncs } }

    static func setFull(_ isFull: Bool, under path: String) { disks.withLock { $0[path]?.isFull = isFull } }

    /// What is there after a power cut at this moment, at another path; the WAL is as it was, as each commit has synced it.
    static func cutPower(of path: String, into other: String) throws {
        try Data(disks.withLock { $0[path]?.kept ?? [] }).write(to: URL(filePath: other))
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: other + "-wal")
    }

    // MARK: SQLite's side

    private static let registration: Void = {
        guard let system = sqlite3_vfs_find("unix") else { return }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.zName = UnsafePointer(strdup("forgetful"))
        vfs.pointee.pNext = nil
        vfs.pointee.xOpen = { _, name, file, flags, out in
            guard let system = sqlite3_vfs_find("unix"), let file else { return SQLITE_CANTOPEN }
            let code = system.pointee.xOpen(system, name, file, flags, out)
            guard code == SQLITE_OK, let name, flags & SQLITE_OPEN_MAIN_DB != 0 else { return code }
            let path = String(cString: name)
            guard disks.withLock({ $0[path] != nil }) else { return code }
            paths.withLock { $0[UInt(bitPattern: file)] = path }
            file.pointee.pMethods = methods(like: file.pointee.pMethods)
            return code
        }
        sqlite3_vfs_register(vfs, 1)
    }()

    /// Of the system's files on a local disk; all have the same.
    private static let originals = Mutex<UInt>(0)
    private static let replacements = Mutex<UInt>(0)

    private static func methods(like original: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods>? {
        let address = replacements.withLock { made in
            guard made == 0 else { return made }
            originals.withLock { $0 = UInt(bitPattern: original) }
            let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            methods.initialize(to: original.pointee)
            methods.pointee.xWrite = { file, bytes, count, place in
                let isFull = ForgetfulDisk.change(file) { disk in
                    guard !disk.isFull, let bytes else { return true }
                    disk.written.append((Int(place), Array(UnsafeRawBufferPointer(start: bytes, count: Int(count)))))
                    return false
                }
                let original = UnsafePointer<sqlite3_io_methods>(bitPattern: ForgetfulDisk.originals.withLock(\.self))
                return isFull ? SQLITE_FULL : original?.pointee.xWrite(file, bytes, count, place) ?? SQLITE_IOERR
            }
            methods.pointee.xSync = { file, _ in
                let fails = ForgetfulDisk.change(file) { disk in
                    defer { disk.written = [] }
                    let left = disk.syncsUntilOneFails
                    disk.syncsUntilOneFails = left == 0 ? nil : left.map { $0 - 1 }
                    if left == 0 { return true }
                    for (place, bytes) in disk.written {
                        disk.kept += Array(repeating: 0, count: max(0, place + bytes.count - disk.kept.count))
                        disk.kept.replaceSubrange(place..<(place + bytes.count), with: bytes)
                    }
                    return false
                }
                return fails ? SQLITE_IOERR | 4 << 8 : SQLITE_OK
            }
            made = UInt(bitPattern: methods)
            return made
        }
        return UnsafePointer(bitPattern: address)
    }

    private static func change(_ file: UnsafeMutablePointer<sqlite3_file>?, _ change: (inout Disk) -> Bool) -> Bool {
        guard let path = paths.withLock({ $0[UInt(bitPattern: file)] }) else { return true }
        return disks.withLock { disks in
            guard var disk = disks.removeValue(forKey: path) else { return true }
            defer { disks[path] = disk }
            return change(&disk)
        }
    }
}
