internal import Dispatch
internal import GRDB
internal import Queues

/// Takes what is in the WAL over into the database, so that the WAL stays short. Nearly all of it is done beside the writer: in the way of
/// a commit it would hold up all who wait, for as long as a disk takes to sync thousands of pages.
///
/// The WAL can begin anew only when all of it was taken over and nobody writes. So what has come meanwhile is taken over as well, again and
/// again, and each time it is less; at last the writer waits for the rest.
final class Checkpoints: Sendable {
    private struct State {
        var isUnderWay = false
        var isLost = false
        /// How long the WAL was when somebody last set out to take it over, and how much of it is in the database.
        var asked = 0, taken = 0
        /// How long the WAL must be for somebody to set out again.
        var next: Int
    }

    private let state: Current<State>
    private let queue = DispatchQueue(label: "onward.sqlite.checkpoints")
    // Used by one caller at a time, whoever made `isUnderWay` true.
    private let connection: Connection
    private let file: DatabaseFile
    private let pages: Int
    private let onLost: @Sendable () -> Void

    /// - Parameters:
    ///   - pages: how long the WAL becomes before it begins anew, about. Each time costs those who wait for the writer two syncs.
    ///   - onLost: called once, when a sync has failed.
    init(of file: DatabaseFile, pages: Int, onLost: @escaping @Sendable () -> Void) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Durability.busySeconds)
        connection = try Connection(path: file.path, configuration: configuration, pragmas: Durability.writing)
        (self.file, self.pages, self.onLost, state) = (file, pages, onLost, Current(State(next: pages)))
    }

    /// Whether a sync of the database has failed. Then readers may find in it what was there before, so nothing must rest on what they read;
    /// the next process that opens it finds everything in the WAL (D4).
    var isLost: Bool { state.value.isLost }

    /// What the writer may wait for, in pages.
    private var rest: Int { pages / 32 }

    private enum Step { case none, piece, rest }

    /// To be called after each commit, where no one waits for the writer's answer.
    /// - Parameter length: the WAL's, in pages.
    func consider(length: Int) {
        let step = state.update { state in
            guard !state.isUnderWay, !state.isLost else { return Step.none }
            // Shorter than it was: it began anew.
            if length < state.asked { (state.asked, state.taken, state.next) = (0, 0, pages) }
            guard length >= state.next else { return .none }
            // What came while a large piece was taken over is a smaller one. On a disk that never keeps up, everyone waits in the end.
            let step: Step = length - state.taken <= rest || length >= 4 * pages ? .rest : .piece
            // After the rest the WAL begins anew, unless somebody still reads what came before: then again with the next commit.
            (state.isUnderWay, state.asked, state.next) = (true, length, length + (step == .rest ? 1 : rest))
            return step
        }
        switch step {
        case .none: return
        case .piece:
            queue.async {
                self.work { () throws(SyncFailure) in
                    let before = self.state.value.taken
                    let taken = try self.connection.takeOver()
                    try self.connection.syncDatabase { self.file.beginWriting(pages: (taken ?? length) - before) }
                    return taken
                } then: {
                    // With the next commit, unless somebody who reads kept it from the end.
                    if $0.taken >= length { $0.next = length }
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

    private func work(_ body: () throws(SyncFailure) -> Int?, then finish: (inout State) -> Void = { _ in }) {
        do throws(SyncFailure) {
            let taken = try body()
            state.update {
                $0.isUnderWay = false
                $0.taken = taken ?? $0.taken
                finish(&$0)
            }
        } catch { lose() }
    }

    private func lose() {
        state.update { $0.isLost = true }
        onLost()
    }

    /// Waits for what is under way.
    func close() async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.connection.close() }) }
        }
    }
}
