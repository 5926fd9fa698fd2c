internal import Dispatch
internal import Queues
internal import Store

/// Takes what is in the WAL over into the database, so that the WAL stays short. Nearly all of it is done beside the writer: in the way of
/// a commit it would hold up all who wait, for as long as a disk takes to sync thousands of pages.
///
/// The WAL can begin anew only when all of it was taken over and nobody writes. So what has come meanwhile is taken over as well, again and
/// again, and each time it is less; at last the writer waits for the rest. Best when nobody else does: while many commit, the WAL becomes
/// longer first.
final class Checkpoints: Sendable {
    private let plan: Locked<CheckpointPlan>
    /// When the last piece was begun that took anything over; nil before the first.
    private let lastPiece = Locked<ContinuousClock.Instant?>(nil)
    private let queue = DispatchQueue(label: "onward.sqlite.checkpoints")
    // Used by one caller at a time, as the plan has one thing under way.
    private let connection: SQLiteConnection
    private let file: DatabaseFile
    private let onLost: @Sendable () -> Void

    /// - Parameters:
    ///   - pages: how long the WAL becomes before it is taken over (`CheckpointPlan`).
    ///   - onLost: called once, when a sync has failed.
    init(of file: DatabaseFile, pages: Int, onLost: @escaping @Sendable () -> Void) throws(SQLFailure) {
        connection = try SQLiteConnection(path: file.path, access: .readWrite, pragmas: Durability.writing)
        (self.file, self.onLost) = (file, onLost)
        plan = Locked(CheckpointPlan(pages: pages, database: (file.opened?.size ?? 0) / 4096))
    }

    /// Whether a sync of the database has failed. Then readers may find in it what was there before, so nothing must rest on what they read;
    /// the next process that opens it finds everything in the WAL (D4).
    var isLost: Bool { plan.value.isLost }

    /// To be called after each commit, where no one waits for the writer's answer.
    /// - Parameters:
    ///   - length: the WAL's, in pages.
    ///   - transactions: how many were committed together.
    func consider(length: Int, transactions: Int) {
        switch plan.update({ $0.step(length: length, transactions: transactions) }) {
        case .none: return
        case .piece(let isEnding):
            queue.async {
                self.work { () throws(SyncFailure) in
                    let (start, before) = (ContinuousClock.now, self.plan.value.taken)
                    let taken = try self.connection.takeOver()
                    let pages = max(0, (taken ?? before) - before)
                    // In less time than they took to come, or the WAL would never be short enough to end.
                    let came = self.sinceLastPiece(until: start, isPiece: pages > 0)
                    try self.connection.syncDatabase { self.file.beginWriting(pages: pages, within: isEnding ? came / 8 : came * 3 / 4) }
                    return taken
                }
            }
        case .rest:
            // Where this reaches the end, SQLite has synced before it counted: whoever waits need not wait for another one.
            var taken: Int?
            do { taken = try connection.takeOver() } catch { return lose() }
            queue.async { [taken] in
                self.work { () throws(SyncFailure) in
                    try self.connection.syncDatabase {}
                    return taken
                }
            }
        }
    }

    private func sinceLastPiece(until start: ContinuousClock.Instant, isPiece: Bool) -> Duration {
        lastPiece.update { last in
            defer { if isPiece { last = start } }
            return last.map { start - $0 } ?? .seconds(60)
        }
    }

    private func work(_ body: () throws(SyncFailure) -> Int?) {
        do throws(SyncFailure) {
            let taken = try body()
            plan.update { $0.finish(taken: taken) }
        } catch { lose() }
    }

    private func lose() {
        plan.update { $0.isLost = true }
        onLost()
    }

    /// Waits for what is under way.
    func close() async throws(SQLFailure) {
        let result: Result<Void, SQLFailure> = await suspended { continuation in
            queue.async { continuation.resume(returning: Result { () throws(SQLFailure) in try self.connection.close() }) }
        }
        try result.get()
    }
}
