import CSQLite
import Foundation
import Synchronization

/// A simulated disk below SQLite that knows what would survive a power cut, on a system that
/// reports each failed write-back once: written data is durable when a sync has succeeded; data
/// written before a failed sync is durable only if it is written again. Implemented as a VFS around
/// the system's.
package enum ForgetfulDisk {
    /// A change of a file since its last sync.
    private enum Change {
        case write(offset: Int, bytes: ArraySlice<UInt8>)
        case truncate(length: Int)
    }

    private struct File {
        var durable: [UInt8] = []
        var unsynced: [Change] = []
        /// Nil: no sync fails.
        var syncsUntilFailure: Int?
        /// Nil: there is room.
        var writesUntilFull: Int?

        mutating func sync() {
            for change in unsynced { Self.apply(change, to: &durable) }
            unsynced = []
        }

        static func apply(_ change: Change, to content: inout [UInt8]) {
            switch change {
            case .write(let offset, let bytes):
                content += Array(repeating: 0, count: max(0, offset + bytes.count - content.count))
                content.replaceSubrange(offset..<(offset + bytes.count), with: bytes)
            case .truncate(let length): content.removeLast(max(0, content.count - length))
            }
        }
    }

    /// The disk below one database: the database and its WAL.
    private struct Disk {
        var files: [String: File]
        /// The number of calls until the power fails; nil: it does not.
        var callsUntilPowerCut: Int?
        var hasPower = true

        /// - Returns: false if the power is off, which it is from the last call on.
        mutating func call() -> Bool {
            if callsUntilPowerCut == 0 { (hasPower, callsUntilPowerCut) = (false, nil) }
            callsUntilPowerCut = callsUntilPowerCut.map { $0 - 1 }
            return hasPower
        }
    }

    /// The disks, by the path of the database.
    private static let disks = Mutex<[String: Disk]>([:])
    /// SQLite's open files, by their addresses: the path, and the address of the system's methods.
    private static let open = Mutex<[UInt: (path: String, methods: UInt)]>([:])

    /// Puts the disk below a database and its WAL, with what they contain. Must be called before
    /// the database is opened.
    package static func simulate(below path: String) {
        _ = registration
        let files = [path, path + "-wal"].map { ($0, File(durable: [UInt8](FileManager.default.contents(atPath: $0) ?? Data()))) }
        disks.withLock { $0[path] = Disk(files: Dictionary(uniqueKeysWithValues: files)) }
    }

    /// Forgets the disk below a database that nothing has open.
    package static func remove(below path: String) { disks.withLock { $0[path] = nil } }

    /// Makes one sync of the file fail, after so many that succeed; nil: none.
    package static func failSync(of path: String, after syncs: Int?) {
        disks.withLock { $0[database(of: path)]?.files[path]?.syncsUntilFailure = syncs }
    }

    /// Refuses what is written to a file, the database or its WAL, after so many more writes; nil:
    /// nothing.
    package static func fill(_ file: String, after writes: Int?) {
        disks.withLock { $0[database(of: file)]?.files[file]?.writesUntilFull = writes }
    }

    /// Cuts the power after so many more writes, syncs and truncations; nil: not at all.
    package static func cutPower(below path: String, after calls: Int?) { disks.withLock { $0[path]?.callsUntilPowerCut = calls } }

    package static func hasPower(below path: String) -> Bool { disks.withLock { $0[path]?.hasPower ?? true } }

    /// Writes the database as it would be after a power cut now to another path. The WAL is copied
    /// whole: every commit has synced it.
    package static func cutPower(of path: String, into other: String) throws {
        try Data(disks.withLock { $0[path]?.files[path]?.durable ?? [] }).write(to: URL(filePath: other))
        try FileManager.default.copyItem(atPath: path + "-wal", toPath: other + "-wal")
    }

    /// Writes the database and its WAL as they would be after a power cut now to another path. Of
    /// each change since the last sync it is decided whether it survives, and of a write how many
    /// of its sectors.
    /// - Parameter decide: returns a number below the one that it gets.
    package static func image(of path: String, into other: String, deciding decide: (Int) -> Int) throws {
        let files = disks.withLock { $0[path]?.files ?? [:] }
        for (suffix, file) in ["", "-wal"].map({ ($0, files[path + $0] ?? File()) }) {
            var content = file.durable
            for change in file.unsynced {
                switch (change, decide(3)) {
                case (_, 0): continue
                case (.write(let offset, let bytes), 1):
                    let sectors = decide(bytes.count / 512 + 1)
                    File.apply(.write(offset: offset, bytes: bytes.prefix(sectors * 512)), to: &content)
                default: File.apply(change, to: &content)
                }
            }
            try Data(content).write(to: URL(filePath: other + suffix))
        }
    }

    private static func database(of path: String) -> String { path.hasSuffix("-wal") ? String(path.dropLast(4)) : path }

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
            guard disks.withLock({ $0[database(of: path)] != nil }) else { return code }
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
                let code = ForgetfulDisk.change(file) { file in
                    guard file.writesUntilFull != 0, let bytes else { return SQLITE_FULL }
                    file.writesUntilFull = file.writesUntilFull.map { $0 - 1 }
                    let written = UnsafeRawBufferPointer(start: bytes, count: Int(count))
                    file.unsynced.append(.write(offset: Int(offset), bytes: Array(written)[...]))
                    return SQLITE_OK
                }
                return code == SQLITE_OK
                    ? ForgetfulDisk.original(of: file)?.pointee.xWrite(file, bytes, count, offset) ?? SQLITE_IOERR : code
            }
            methods.pointee.xTruncate = { file, length in
                let code = ForgetfulDisk.change(file) { file in
                    file.unsynced.append(.truncate(length: Int(length)))
                    return SQLITE_OK
                }
                return code == SQLITE_OK ? ForgetfulDisk.original(of: file)?.pointee.xTruncate(file, length) ?? SQLITE_IOERR : code
            }
            methods.pointee.xSync = { file, _ in
                ForgetfulDisk.change(file) { file in
                    let left = file.syncsUntilFailure
                    file.syncsUntilFailure = left == 0 ? nil : left.map { $0 - 1 }
                    guard left != 0 else {
                        file.unsynced = []
                        return onward_sqlite_ioerr_fsync
                    }
                    file.sync()
                    return SQLITE_OK
                }
            }
            replacements[UInt(bitPattern: original)] = UInt(bitPattern: methods)
            return UInt(bitPattern: methods)
        }
        return UnsafePointer(bitPattern: address)
    }

    private static func original(of file: UnsafeMutablePointer<sqlite3_file>?) -> UnsafePointer<sqlite3_io_methods>? {
        UnsafePointer(bitPattern: open.withLock { $0[UInt(bitPattern: file)]?.methods ?? 0 })
    }

    /// - Returns: What `change` returns; an error for a file that is not simulated or has no power.
    private static func change(_ file: UnsafeMutablePointer<sqlite3_file>?, _ change: (inout File) -> Int32) -> Int32 {
        guard let path = open.withLock({ $0[UInt(bitPattern: file)]?.path }) else { return SQLITE_IOERR }
        return disks.withLock { disks in
            guard var disk = disks.removeValue(forKey: database(of: path)) else { return SQLITE_IOERR }
            defer { disks[database(of: path)] = disk }
            guard disk.call(), var file = disk.files.removeValue(forKey: path) else { return SQLITE_IOERR }
            defer { disk.files[path] = file }
            return change(&file)
        }
    }
}
