internal import Accounts
internal import Store

/// Transactions that one commit makes durable together. If one of them throws, only its own changes
/// are undone. Callers get their results after the commit, refusals too, because a refusal may rest
/// on what another transaction of the group wrote.
struct TransactionGroup: Sendable {
    let transactions: [QueuedTransaction]

    /// Runs and commits the group, and completes every transaction. If this throws, nothing was
    /// committed and no caller was told: `fail` has to follow, and the connection has to be closed.
    func commit(on connection: SQLiteConnection) throws(SQLFailure) {
        let completions =
            if let completions = try runWithoutSavepoints(on: connection) { completions } else { try runWithSavepoints(on: connection) }
        try connection.run("COMMIT")
        for complete in completions { complete() }
    }

    /// - Parameter isInDoubt: whether a sync failed. The log may have the commit then, and the next
    ///   process finds it there.
    func fail(_ failure: SQLFailure, isInDoubt: Bool) {
        var error = ActionError(failure)
        if isInDoubt, case .unavailable(let down) = error {
            error = .unavailable(Unavailable(down.part, cause: down.cause, commitState: .unknown))
        }
        for transaction in transactions { transaction.fail(error) }
    }

    /// The quick way, because savepoints cost more than most transactions, and few throw after they
    /// have written.
    /// - Returns: nil if a transaction did throw after it had written; the whole group is rolled
    ///   back.
    private func runWithoutSavepoints(on connection: SQLiteConnection) throws(SQLFailure) -> [QueuedTransaction.Completion]? {
        try connection.run("BEGIN IMMEDIATE")
        var completions: [QueuedTransaction.Completion] = []
        for transaction in transactions {
            let before = connection.changeCount
            let (complete, isKept) = transaction.run(connection)
            guard isKept || connection.changeCount == before else {
                try connection.run("ROLLBACK")
                return nil
            }
            completions.append(complete)
        }
        return completions
    }

    private func runWithSavepoints(on connection: SQLiteConnection) throws(SQLFailure) -> [QueuedTransaction.Completion] {
        try connection.run("BEGIN IMMEDIATE")
        var completions: [QueuedTransaction.Completion] = []
        for transaction in transactions {
            try connection.run("SAVEPOINT one")
            let (complete, isKept) = transaction.run(connection)
            if !isKept { try connection.run("ROLLBACK TO one") }
            try connection.run("RELEASE one")
            completions.append(complete)
        }
        return completions
    }
}

/// One transaction that waits for the writer, with its caller's continuation.
struct QueuedTransaction: Sendable {
    /// Hands the result over to the caller.
    typealias Completion = @Sendable () -> Void

    /// Runs the body. May be called twice; only the last result counts. `isKept` is false if the
    /// body threw, so its changes must be undone.
    let run: @Sendable (any SQLStatements) -> (complete: Completion, isKept: Bool)
    let fail: @Sendable (ActionError) -> Void

    init<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T,
        complete: @escaping @Sendable (Result<T, ActionError>) -> Void
    ) {
        run = { statements in
            do throws(ActionError) {
                let result = try body(statements)
                return ({ complete(.success(result)) }, true)
            } catch {
                return ({ complete(.failure(error)) }, false)
            }
        }
        fail = { complete(.failure($0)) }
    }
}
