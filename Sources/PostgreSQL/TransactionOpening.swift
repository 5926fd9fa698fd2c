internal import Store

/// The beginning of a transaction, which is sent together with its first statement.
struct TransactionOpening: Sendable {
    /// A query that a transaction runs first. Its answer decides whether the transaction is used.
    struct Condition: Sendable {
        let query: Statement
        let isMet: @Sendable ([SQLRow]) -> Bool
    }

    let statements: [Statement]
    var isReadOnly = false
    var condition: Condition?

    /// All queries see one snapshot.
    static func snapshot(_ options: PostgreSQLDatabase.Options, onlyIf condition: Condition? = nil) -> TransactionOpening {
        let statements = statements("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", options)
        return TransactionOpening(statements: statements, isReadOnly: true, condition: condition)
    }

    static func serializable(_ options: PostgreSQLDatabase.Options) -> TransactionOpening {
        TransactionOpening(statements: statements("BEGIN ISOLATION LEVEL SERIALIZABLE", options))
    }

    static func readCommitted(_ options: PostgreSQLDatabase.Options) -> TransactionOpening {
        TransactionOpening(statements: statements("BEGIN ISOLATION LEVEL READ COMMITTED", options))
    }

    private static func statements(_ begin: String, _ options: PostgreSQLDatabase.Options) -> [Statement] {
        guard !options.usesNamedStatements else { return [Statement(begin)] }
        // A setting of the connection would be left behind for other clients of the pooler.
        let settings = ConnectionParameters.settings(options.deadlines)
        return [
            Statement(begin),
            Statement("SELECT " + settings.map { "set_config('\($0.name)', '\($0.value)', true)" }.joined(separator: ", ")),
        ]
    }

    /// One transaction at a time in all processes, without deadlines. The lock is taken before the
    /// transaction sees anything, and lasts until its end. A number stands for it; this one is
    /// Onward's.
    static let exclusive = TransactionOpening(statements: [
        Statement("BEGIN ISOLATION LEVEL READ COMMITTED"), Statement("SET LOCAL statement_timeout = 0"),
        Statement("SET LOCAL lock_timeout = 0"), Statement("SET LOCAL idle_in_transaction_session_timeout = 0"),
        Statement("SELECT 1 FROM pg_advisory_xact_lock(5940271)"),
    ])
}
