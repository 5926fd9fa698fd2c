internal import Accounts
internal import Store

/// Transactions that one commit makes durable. The throw of one takes back only what it did itself. Nobody is told anything before the
/// commit, not even a refusal, as it may rest on what another of the group wrote.
struct Group: Sendable {
    let jobs: [Job]

    /// - Returns: Whether it was committed. If not, all are told `Unavailable`, and the connection must be closed: that rolls
    ///   back, and nothing that it has in memory is trusted after a failed sync (D4).
    func commit(on connection: SQLiteConnection) -> Bool {
        do throws(SQLFailure) {
            let answers = if let together = try answersTogether(on: connection) { together } else { try answersApart(on: connection) }
            try connection.run("COMMIT")
            for answer in answers { answer() }
            return true
        } catch {
            fail(error)
            return false
        }
    }

    func fail(_ failure: SQLFailure) {
        for job in jobs { job.fail(ActionError(failure)) }
    }

    /// Savepoints cost more than most jobs, and few throw after they have written.
    /// - Returns: Nil when one did: all is rolled back.
    private func answersTogether(on connection: SQLiteConnection) throws(SQLFailure) -> [Job.Answer]? {
        try connection.run("BEGIN IMMEDIATE")
        var answers: [Job.Answer] = []
        for job in jobs {
            let before = connection.writes
            let attempt = job.attempt(connection)
            guard attempt.isKept || connection.writes == before else {
                try connection.run("ROLLBACK")
                return nil
            }
            answers.append(attempt.answer)
        }
        return answers
    }

    /// Each in a savepoint of its own.
    private func answersApart(on connection: SQLiteConnection) throws(SQLFailure) -> [Job.Answer] {
        try connection.run("BEGIN IMMEDIATE")
        var answers: [Job.Answer] = []
        for job in jobs {
            try connection.run("SAVEPOINT job")
            let attempt = job.attempt(connection)
            if !attempt.isKept { try connection.run("ROLLBACK TO job") }
            try connection.run("RELEASE job")
            answers.append(attempt.answer)
        }
        return answers
    }
}

/// One transaction of a group, and how to tell the one who asked for it.
struct Job: Sendable {
    typealias Answer = @Sendable () -> Void

    /// May be called again: only the last call counts.
    let attempt: @Sendable (any SQLStatements) -> (answer: Answer, isKept: Bool)
    let fail: @Sendable (ActionError) -> Void

    init<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T,
        tell: @escaping @Sendable (Result<T, ActionError>) -> Void
    ) {
        attempt = { statements in
            do throws(ActionError) {
                let result = try body(statements)
                return ({ tell(.success(result)) }, true)
            } catch {
                return ({ tell(.failure(error)) }, false)
            }
        }
        fail = { tell(.failure($0)) }
    }
}
