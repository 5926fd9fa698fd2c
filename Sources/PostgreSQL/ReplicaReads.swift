internal import Accounts
internal import Base
internal import Dispatch
internal import Network
internal import Store

/// A replica, which answers reads as long as it is known to be at most so much behind the primary
/// (N12).
///
/// A *mark* on the primary, a row that only this type changes, is moved now and then. It reaches a
/// replica after every commit before it. So a snapshot with that mark, or a later one, is as recent
/// as the moment at which the mark was asked for, by the clock of this process alone.
final class ReplicaReads: Sendable {
    private struct Mark {
        let value: Int64
        /// When it was asked for.
        let askedAt: Uptime
    }

    private struct State {
        /// The recent ones, the oldest first.
        var marks: [Mark] = []
        var isMarking = false
        var isUsable = false
    }

    private let primary: ConnectionPool
    private let replicas: ConnectionPool
    private let options: PostgreSQLDatabase.Options
    private let maxStaleness: Duration
    private let readers: DatabaseWorkers
    private let queue = DispatchQueue(label: "onward.postgresql.mark")
    private let state = Locked(State())
    /// Counts the reads that the replica answered.
    let answers = AtomicCounter()

    init(_ replica: PostgreSQLDatabase.Options.Replica, of options: PostgreSQLDatabase.Options, primary: ConnectionPool) {
        var options = options
        (options.url, options.requiresWritable) = (replica.url, false)
        // The primary is asked instead of waiting.
        (options.deadlines.statement, options.deadlines.response) = (.seconds(1), .seconds(1))
        options.deadlines.outage = .zero
        (self.primary, self.options, maxStaleness) = (primary, options, replica.maxStaleness)
        replicas = ConnectionPool(options)
        readers = DatabaseWorkers(
            label: "onward.postgresql.replica", width: options.maxConnections, maxWait: options.deadlines.waiting)
    }

    /// The row of `commit_slot` that belongs to no connection.
    private static let mark = Statement("SELECT used_at FROM commit_slot WHERE id = 0")
    private static let move = Statement(
        """
        INSERT INTO commit_slot (id, sequence, used_at) VALUES (0, 0, \(CommitSlot.now))
        ON CONFLICT (id) DO UPDATE SET used_at = GREATEST(commit_slot.used_at + 1, excluded.used_at) RETURNING used_at
        """)

    private static func value(_ rows: [SQLRow]) -> Int64? {
        rows.first.flatMap { row in
            var row = row
            return try? row.next()
        }
    }

    private static func isRecent(_ rows: [SQLRow], _ state: State, _ maxStaleness: Duration) -> Bool {
        guard let found = value(rows) else { return false }
        let now = Uptime.now
        return state.marks.contains { $0.value <= found && now - $0.askedAt <= maxStaleness }
    }

    /// The result of a read; nil if the primary has to be asked.
    func run<T: Sendable>(_ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T?) async -> T? {
        moveMarkIfDue()
        guard state.value.isUsable else { return nil }
        let condition = TransactionOpening.Condition(query: Self.mark) { [self] in Self.isRecent($0, state.value, maxStaleness) }
        do throws(ActionError) {
            let found = try await readers.run { [self] () throws(ActionError) -> T? in
                // It may have failed while this read waited for a thread.
                guard state.value.isUsable else { return nil }
                do throws(ActionError) {
                    return try TransactionRunner(replicas, options).run(.snapshot(options, onlyIf: condition), body)
                } catch {
                    if case .unavailable = error { state.update { $0.isUsable = false } }
                    throw error
                }
            }
            if found != nil { answers.add() }
            return found
        } catch { return nil }
    }

    func close() { replicas.close() }

    // MARK: Marks

    private func moveMarkIfDue() {
        let isDue = state.update { [interval = maxStaleness / 4] state in
            let interval = state.isUsable ? interval : min(interval, .seconds(1))
            let isDue = !state.isMarking && state.marks.last.map { .now - $0.askedAt >= interval } ?? true
            if isDue { state.isMarking = true }
            return isDue
        }
        if isDue { queue.async { self.moveMark() } }
    }

    /// Asks the replica too, so that no request waits for one that does not answer or is behind.
    private func moveMark() {
        let askedAt = Uptime.now
        let value = try? Self.value(Self.ask(Self.move, primary))
        let found = value == nil ? nil : try? Self.ask(Self.mark, replicas)
        state.update { [maxStaleness] state in
            // After a fail-over that lost commits, those marks are in the future.
            state.marks.removeAll { mark in .now - mark.askedAt > maxStaleness || value.map { $0 <= mark.value } ?? false }
            if let value { state.marks.append(Mark(value: value, askedAt: askedAt)) }
            (state.isMarking, state.isUsable) = (false, found.map { Self.isRecent($0, state, maxStaleness) } ?? false)
        }
    }

    private static func ask(_ statement: Statement, _ pool: ConnectionPool) throws(ServerFailure) -> [SQLRow] {
        let connection = try pool.take()
        do throws(ServerFailure) {
            let rows = try connection.run([statement]).last?.rows ?? []
            pool.giveBack(connection)
            return rows
        } catch {
            pool.drop()
            throw error
        }
    }
}
