import Foundation
import SQLite
import Synchronization
import World

/// A file system with one database, and the number of syncs that failed on it.
final class SimulatedMachine: Sendable {
    let folder: URL
    private let starts = Mutex(0)
    private let syncFailures = Mutex(0)
    private let connected = Mutex<SQLiteDatabase?>(nil)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "onward-simulation-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        ForgetfulDisk.simulate(below: path)
    }

    deinit {
        ForgetfulDisk.remove(below: path)
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.appending(path: "\(starts.withLock { $0 }).sqlite").path }
    /// Whether the process has to end: the power has failed, or a sync.
    var mustEnd: Bool { !ForgetfulDisk.hasPower(below: path) || syncFailures.withLock { $0 > 0 } }

    func connect() throws -> SQLiteDatabase {
        let database = try SQLiteDatabase(path: path, onSyncFailure: { [weak self] in self?.syncFailures.withLock { $0 += 1 } })
        connected.withLock { $0 = database }
        return database
    }

    /// Closes the database, and returns whether that succeeds.
    func closes() async -> Bool {
        do {
            try await connected.withLock(\.self)?.close()
            return true
        } catch { return false }
    }

    /// Prepares an accident once in that many times, and returns its name, or else nothing.
    func arm(oneIn times: Int, deciding decide: (Int) -> Int) -> String {
        guard decide(times) == 0 else { return "" }
        switch decide(5) {
        case 0:
            let writes = decide(3) == 0 ? 0 : decide(30)
            fill(after: writes)
            return " (disk full after \(writes) writes)"
        case 1:
            let file = ["", "-wal"][decide(2)]
            ForgetfulDisk.failSync(of: path + file, after: 0)
            return " (sync\(file) fails)"
        default:
            let calls = decide(40)
            cutPower(after: calls)
            return " (power for \(calls) calls)"
        }
    }

    /// Ends what `arm` prepared and has not happened.
    func disarm() {
        cutPower(after: nil)
        fill(after: nil)
        for suffix in ["", "-wal"] { ForgetfulDisk.failSync(of: path + suffix, after: nil) }
    }

    func cutPower(after calls: Int?) { ForgetfulDisk.cutPower(below: path, after: calls) }

    private func fill(after writes: Int?) {
        for suffix in ["", "-wal"] { ForgetfulDisk.fill(path + suffix, after: writes) }
    }

    /// Starts a machine with the content of the disk.
    func restart(deciding decide: (Int) -> Int) throws {
        try replaceDatabase { old, new in try ForgetfulDisk.image(of: old, into: new, deciding: decide) }
    }

    /// Writes a backup.
    func backUp(to file: String) throws {
        try Data().write(to: URL(filePath: file))
        try SQLiteFile.copy(path, to: file)
    }

    /// Starts a machine with a file in place of the database.
    func replaceDatabase(by file: String) throws {
        try replaceDatabase { try FileManager.default.copyItem(atPath: file, toPath: $1) }
    }

    private func replaceDatabase(by write: (_ old: String, _ new: String) throws -> Void) throws {
        let old = path
        starts.withLock { $0 += 1 }
        syncFailures.withLock { $0 = 0 }
        try write(old, path)
        ForgetfulDisk.simulate(below: path)
        ForgetfulDisk.remove(below: old)
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: old + suffix) }
    }
}
