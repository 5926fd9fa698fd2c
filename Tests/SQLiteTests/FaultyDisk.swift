import CSQLite
import Foundation
import Synchronization

/// Makes SQLite's writes into one folder fail, as a full or a broken disk does.
enum FaultyDisk {
    private struct Plan {
        var writesLeft: Int
        let error: Int32
    }

    private static let plans = Mutex<[String: Plan]>([:])

    /// Runs `body` while all writes into the folder fail after some that succeed.
    /// - Returns: whether any failed.
    static func failing(in folder: String, after writes: Int, with error: Int32, _ body: () async throws -> Void) async rethrows -> Bool {
        _ = hook
        plans.withLock { $0[folder] = Plan(writesLeft: writes, error: error) }
        try await body()
        return (plans.withLock { $0.removeValue(forKey: folder) }?.writesLeft ?? 0) < 0
    }

    /// Replaces SQLite's system calls through `xSetSystemCall`, which exists for such tests.
    private static let hook: Void = {
        guard let vfs = sqlite3_vfs_find(nil) else { return }
        let call = unsafeBitCast(write, to: sqlite3_syscall_ptr.self)
        for name in ["pwrite", "pwrite64"] { _ = vfs.pointee.xSetSystemCall(vfs, name, call) }
    }()

    private static let write: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = { descriptor, bytes, count, offset in
        guard let error = FaultyDisk.fault(at: descriptor) else { return pwrite(descriptor, bytes, count, offset) }
        errno = error
        return -1
    }

    private static func fault(at descriptor: Int32) -> Int32? {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)") else { return nil }
        let folder = URL(filePath: path).deletingLastPathComponent().path()
        return plans.withLock { plans in
            guard var plan = plans[folder] else { return nil }
            plan.writesLeft -= 1
            plans[folder] = plan
            return plan.writesLeft < 0 ? plan.error : nil
        }
    }
}
