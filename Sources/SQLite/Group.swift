internal import Accounts
internal import GRDB
internal import Store

/// Transactions that one commit makes durable. Each is a savepoint: its throw takes back only what it did itself. Nobody is told
/// anything before the commit, not even a refusal, as it may rest on what another of the group wrote.
struct Group: Sendable {
    let jobs: [Job]

    /// - Returns: Whether it was committed. If not, all are told `Unavailable`, and the connection must be closed: that rolls
    ///   back, and nothing that it has in memory is trusted after a failed sync (D4).
    func commit(in db: Database) -> Bool {
        let statements = Statements(db: db)
        do {
            try statements.execute("BEGIN IMMEDIATE", [])
            var answers: [Job.Answer] = []
            for job in jobs {
                try statements.execute("SAVEPOINT job", [])
                let attempt = job.attempt(statements)
                if !attempt.isKept { try statements.execute("ROLLBACK TO job", []) }
                try statements.execute("RELEASE job", [])
                answers.append(attempt.answer)
            }
            try statements.execute("COMMIT", [])
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
}

/// One transaction of a group, and how to tell the one who asked for it.
struct Job: Sendable {
    typealias Answer = @Sendable () -> Void

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
