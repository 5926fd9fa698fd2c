internal import Base
internal import Dispatch
internal import Network
internal import Store

/// Copies the write-ahead log (WAL) into the database, so that the WAL can restart and stays short.
///
/// SQLite's automatic checkpoints run inside a commit, where every waiting caller pays for syncing
/// thousands of pages. Here nearly all of the copying and syncing is done on a separate thread. The
/// WAL restarts only after a checkpoint during which no commit came, so the writer runs the last
/// one, of few pages, between two commits.
///
/// A checkpoint that does not reach the end of the WAL counts its pages as copied without having
/// synced the database. If a later sync fails, pages that count as copied may be missing. So this
/// process ends then (`SyncFailures`), and the next one does not trust the count
/// (`SQLiteDatabase.openForServer`).
final class Checkpointer: Sendable {
    private let plan: Locked<CheckpointPlan>
    private let queue = DispatchQueue(label: "onward.sqlite.checkpoints")
    // Used by one checkpoint at a time: the plan has one step running.
    private let connection: SQLiteConnection
    private let failures: SyncFailures

    /// - Parameter startLength: the length in pages from which on the WAL is checkpointed.
    init(of file: DatabaseFile, startLength: Int, failures: SyncFailures) throws(SQLFailure) {
        connection = try SQLiteConnection(path: file.path, access: .readWrite, pragmas: Durability.writing)
        plan = Locked(CheckpointPlan(startLength: startLength))
        self.failures = failures
    }

    /// The writer calls this after each commit, before it begins the next transaction.
    func committed(walLength: Int) {
        switch plan.update({ $0.step(length: walLength) }) {
        case .none: return
        case .background: queue.async { self.run(maxPasses: Self.maxPasses) }
        case .inline: run(maxPasses: 1)
        }
    }

    /// SQLite syncs the database only in a pass during which no commit came. Each pass is shorter
    /// than the one before, so after a few of them the sync was most likely done here and not left
    /// to the writer.
    private static let maxPasses = 8

    /// Runs checkpoints until one finds nothing new.
    private func run(maxPasses: Int) {
        do throws(SyncFailure) {
            var last: SQLiteConnection.Checkpoint?
            for _ in 0..<maxPasses {
                guard let checkpoint = try connection.checkpoint(), checkpoint != last else { break }
                last = checkpoint
            }
            plan.update { [last] in $0.finish(copied: last?.copied) }
        } catch {
            plan.update { $0.stop() }
            failures.report()
        }
    }

    /// Waits for the checkpoint that is running.
    func close() async throws(SQLFailure) {
        let result: Result<Void, SQLFailure> = await suspended { continuation in
            queue.async { continuation.resume(returning: Result { () throws(SQLFailure) in try self.connection.close() }) }
        }
        try result.get()
    }
}
