internal import Dispatch
internal import GRDB
internal import Queues
internal import Store

/// Takes what is in the WAL over into the database, so that the WAL stays short. Most of it is done beside the writer, on a connection of its
/// own: in the way of a commit it would hold up all who wait, for as long as a disk takes to sync thousands of pages.
///
/// The WAL can begin anew only when all of it was taken over, so the writer does the rest, once it is little.
final class Checkpoints: Sendable {
    private enum State { case none, running, restIsDue }

    private let state = Current(State.none)
    private let queue = DispatchQueue(label: "onward.sqlite.checkpoints", qos: .utility)
    private let connection: Connection
    private let pages: Int

    /// As many pages cost the writer little more than the syncs do.
    private static let rest = 200
    /// For a disk on which it never becomes little.
    private static let rounds = 10

    /// - Parameter pages: how long the WAL becomes before it is taken over. A page is written once however often it was changed, so more
    ///   cost less.
    init(of file: DatabaseFile, pages: Int) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(Durability.busySeconds)
        connection = try Connection(path: file.path, configuration: configuration, pragmas: Durability.writing)
        self.pages = pages
    }

    /// To be called after each commit, where no one waits for the writer's answer. Failures are the next commit's: the WAL has everything.
    func consider(after writer: Connection) {
        guard writer.logPages >= pages else { return }
        switch state.value {
        case .none:
            state.update { $0 = .running }
            queue.async {
                var taken = 0
                for _ in 0..<Self.rounds {
                    let before = taken
                    taken = (try? Self.takeOver(through: self.connection)) ?? taken
                    // SQLite does this only where a checkpoint takes all, so the writer would have to, for everything.
                    self.connection.syncDatabase()
                    // In the next round it would be what was written meanwhile.
                    if taken - before <= Self.rest { break }
                }
                self.state.update { $0 = .restIsDue }
            }
        case .running: break
        case .restIsDue:
            _ = try? Self.takeOver(through: writer)
            state.update { $0 = .none }
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
