internal import Accounts
internal import Base
internal import Foundation
internal import Network
internal import Store

/// Runs one transaction, again if it has to be, on the caller's thread.
struct TransactionRunner {
    private let pool: ConnectionPool
    private let options: PostgreSQLDatabase.Options
    private let start = Uptime.now

    init(_ pool: ConnectionPool, _ options: PostgreSQLDatabase.Options) { (self.pool, self.options) = (pool, options) }

    func run<T>(_ opening: TransactionOpening, _ body: (any SQLStatements) throws(ActionError) -> T) throws(ActionError) -> T {
        var (count, mayHaveRaced) = (0, true)
        while true {
            count += 1
            let connection = try connection()
            let transaction = PostgreSQLTransaction(on: connection, opening: opening, columns: pool.columns)
            let result = Result { () throws(ActionError) in try body(transaction) }
            if result.failure == nil { transaction.commit(connection.slot.mark) }
            guard let failure = transaction.failure else {
                if transaction.isCommitting {
                    connection.advanceSlot()
                    pool.giveBack(connection)
                } else if transaction.isOpen {
                    end(connection, with: result.failure == nil ? "COMMIT" : "ROLLBACK")
                } else {
                    pool.giveBack(connection)
                }
                return try result.get()
            }
            switch failure {
            case .lost:
                pool.drop()
                if transaction.isCommitting, try isCommitted(connection.slot) { return try result.get() }
            case .refused(let state, _, _):
                // The mark may be what was refused, so the connection is not used again.
                if state.isConflict || !transaction.isCommitting { end(connection, with: "ROLLBACK") }
                // A row that is taken may be a concurrent transaction's, which the next attempt
                // sees.
                guard state.isConflict || state == .uniqueViolation && mayHaveRaced else {
                    throw result.failure ?? ActionError(transaction.sqlFailure(failure))
                }
                if state == .uniqueViolation { mayHaveRaced = false }
            }
            try pause(after: count, failure)
        }
    }

    /// Whether a transaction was committed while its connection was lost. If it was not, it cannot
    /// be any more. Throws `Unavailable` if no server answers this in time.
    private func isCommitted(_ slot: CommitSlot) throws(ActionError) -> Bool {
        let deadline = Uptime.now + options.deadlines.outcome
        while true {
            do throws(ServerFailure) {
                let connection = try pool.take()
                let answer = try connection.run([slot.question], until: deadline).first?.rows ?? []
                pool.giveBack(connection)
                do throws(SQLFailure) { return try slot.isCommitted(by: answer) } catch { throw .lost(cause: error.cause) }
            } catch {
                guard Uptime.now < deadline else {
                    throw .unavailable(
                        Unavailable(.store, cause: "the answer to a commit was lost: \(error.cause)", commitState: .unknown))
                }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    // MARK: Connections

    private func connection() throws(ActionError) -> PostgreSQLConnection {
        while true {
            do throws(ServerFailure) { return try pool.take() } catch {
                guard .now - start < options.deadlines.outage else { throw ActionError(error) }
                Thread.sleep(forTimeInterval: 0.05)
            }
        }
    }

    /// Gives a connection back after a last statement, whose answer is not waited for.
    private func end(_ connection: PostgreSQLConnection, with statement: String) {
        if (try? connection.sendOnly([Statement(statement)])) != nil { pool.giveBack(connection) }
    }

    /// Waits before the next attempt, or throws if there is no time for one.
    /// - Parameter count: the number of attempts made.
    private func pause(after count: Int, _ failure: ServerFailure) throws(ActionError) {
        if failure.state?.isConflict == true { pool.conflicts.add() }
        let isRefused = failure.state != nil
        guard .now - start < (isRefused ? options.deadlines.conflicts : options.deadlines.outage) else { throw ActionError(failure) }
        // The first attempt on a new connection comes at once.
        let most = isRefused ? 0.001 * Double(1 << min(count, 6)) : count == 1 ? 0 : 0.1
        Thread.sleep(forTimeInterval: .random(in: 0...most))
    }
}

extension ActionError {
    init(_ failure: ServerFailure) { self.init(.failed(cause: failure.cause)) }
}

extension Result {
    fileprivate var failure: Failure? {
        guard case .failure(let failure) = self else { return nil }
        return failure
    }
}
