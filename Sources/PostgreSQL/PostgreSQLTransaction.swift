internal import Store

/// The statements of one transaction, on a connection that nothing else uses in that time. Those
/// whose results nothing depends on are sent together with the next query or the commit.
final class PostgreSQLTransaction: SQLStatements {
    private let connection: PostgreSQLConnection
    private let opening: TransactionOpening
    /// The columns of a unique index, by its name.
    private let columns: (String) -> [String]
    private var waiting: [Statement] = []
    private(set) var isOpen = false
    private var hasWritten = false
    /// Whether the commit was sent.
    private(set) var isCommitting = false
    /// The first failure, after which nothing is run.
    private(set) var failure: ServerFailure?

    init(on connection: PostgreSQLConnection, opening: TransactionOpening, columns: @escaping (String) -> [String]) {
        (self.connection, self.opening, self.columns) = (connection, opening, columns)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] { try run(sql, arguments).rows }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        try run(sql, arguments).count
    }

    func submit(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) { waiting.append(try checked(sql, arguments)) }

    private func run(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> ServerReply {
        let statement = try checked(sql, arguments)
        let (isFirst, condition) = (!isOpen, opening.condition)
        let replies: [ServerReply]
        do throws(ServerFailure) { replies = try send([statement]) } catch { throw sqlFailure(error) }
        if isFirst, let condition, !condition.isMet(replies[opening.statements.count].rows) {
            throw .failed(cause: "PostgreSQL: the condition of the transaction is not met")
        }
        guard let reply = replies.last else { throw .failed(cause: "PostgreSQL: an answer is missing") }
        return reply
    }

    private func checked(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Statement {
        if let failure { throw sqlFailure(failure) }
        let writes = !sql.hasPrefix("SELECT")
        guard !writes || !opening.isReadOnly else { throw .failed(cause: "a read must not write") }
        hasWritten = hasWritten || writes
        return try Statement(checking: sql, arguments)
    }

    /// Commits if something was written; `failure` tells whether that failed.
    /// - Parameter mark: marks the commit.
    func commit(_ mark: Statement) {
        guard hasWritten, failure == nil else { return }
        isCommitting = true
        _ = try? send([mark, Statement("COMMIT")])
    }

    /// Sends statements after those that wait and, before all, those that begin the transaction.
    private func send(_ last: [Statement]) throws(ServerFailure) -> [ServerReply] {
        let first = isOpen ? [] : opening.statements + [opening.condition?.query].compactMap(\.self)
        let statements = first + waiting + last
        (waiting, isOpen) = ([], true)
        do throws(ServerFailure) { return try connection.run(statements) } catch {
            failure = error
            throw error
        }
    }

    func sqlFailure(_ failure: ServerFailure) -> SQLFailure {
        if case .refused(.uniqueViolation, _, let constraint?) = failure { return .unique(columns: columns(constraint)) }
        return .failed(cause: failure.cause)
    }
}
