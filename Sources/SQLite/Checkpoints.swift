internal import Dispatch
internal import GRDB
internal import Queues
internal import Store

/// Takes what is in the WAL over into the database, so that the WAL stays short. Nearly all of it is done beside the writer, piece by piece, on
/// a connection of its own: in the way of a commit it would hold up all who wait, for as long as a disk takes to sync thousands of pages.
///
/// The WAL can begin anew only when all of it was taken over and nobody writes. So now and then the writer does the rest, which is little.
final class Checkpoints: Sendable {
    private struct State {
        var isRunning = false
        /// How many pages of the WAL are in the database.
        var taken = 0
    }

    private let state = Current(State())
    private let queue = DispatchQueue(label: "onward.sqlite.checkpoints", qos: .utility)
    private let connection: Connection
    private let pages: Int

    /// - Parameter pages: how long the WAL becomes before it begins anew, about. Each time costs the writer two syncs.
    init(of file: DatabaseFile, pages: Int) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Durability.busySeconds)
        connection = try Connection(path: file.path, configuration: configuration, pragmas: Durability.writing)
        self.pages = pages
    }

    /// What is taken over at a time. A large piece keeps the disk from syncing commits; a small one writes the same pages more often.
    private var piece: Int { pages / 8 }

    /// To be called after each commit, where no one waits for the writer's answer. Failures are the next commit's: the WAL has everything.
    func consider(after writer: Connection) {
        let (length, state) = (writer.logPages, state.value)
        guard !state.isRunning else { return }
        // Shorter than what was taken of it: it began anew.
        let left = length >= state.taken ? length - state.taken : length
        // On a disk that never keeps up, everyone waits in the end.
        if length >= pages, left <= piece / 2 || length >= 4 * pages {
            let taken = try? Self.takeOver(through: writer)
            self.state.update { $0.taken = taken ?? $0.taken }
        } else if left >= piece {
            self.state.update { $0.isRunning = true }
            queue.async {
                let taken = try? Self.takeOver(through: self.connection)
                // SQLite does this only where a checkpoint takes all, so the writer would have to, for everything.
                self.connection.syncDatabase()
                self.state.update { $0 = State(taken: taken ?? $0.taken) }
            }
        }
    }

    /// Waits for what is under way.
    func close() async throws {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.connection.close() }) }
        }
    }

    /// Waits for nobody.
    /// - Returns: How many pages of the WAL are in the database by now.
    private static func takeOver(through connection: Connection) throws(SQLFailure) -> Int {
        guard var row = try connection.run("PRAGMA wal_checkpoint(PASSIVE)").first else { return 0 }
        let (_, _, taken): (Int, Int, Int) = (try row.next(), try row.next(), try row.next())
        return taken
    }
}
