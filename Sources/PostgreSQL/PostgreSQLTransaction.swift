internal import Store

/// The statements of one transaction, on a connection that nothing else uses in that time. Those
/// whose results nothing depends on are sent together with the next query or the commit.
final class PostgreSQLTransaction: SQLStatements {
    private let connection: PostgreSQLConnection
    /// Begins the transaction.
    private let opening: [Statement]
    /// The columns of a unique index, by its name.
    private let columns: (String) -> [String]
    private var waiting: [Statement] = []
    private(set) var isOpen = false
    private var hasWritten = false
    /// Whether the commit was sent.
    private(set) var isCommitting = false
    /// The first failure, after which nothing is run.
    private(set) var failure: ServerFailure?

    init(on connection: PostgreSQLConnection, opening: [Statement], columns: @escaping (String) -> [String]) {
        (self.connection, self.opening, self.columns) = (connection, opening, columns)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] { try run(sql, arguments).rows }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        try run(sql, arguments).count
    }

    func submit(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) {
        if let failure { throw sqlFailure(failure) }
        hasWritten = true
        waiting.append(try Statement(checking: sql, arguments))
    }

    private func run(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> ServerReply {
        if let failure { throw sqlFailure(failure) }
        let statement = try Statement(checking: sql, arguments)
        if !sql.hasPrefix("SELECT") { hasWritten = true }
        do throws(ServerFailure) {
            guard let reply = try send([statement]).last else { throw .lost(cause: "an answer is missing") }
            return reply
        } catch { throw sqlFailure(error) }
    }

    /// Commits what was written; `failure` tells whether that failed.
    /// - Parameter mark: marks the commit.
    func commit(_ mark: Statement) {
        guard hasWritten, failure == nil else { return }
        isCommitting = true
        _ = try? send([mark, Statement("COMMIT")])
    }

    /// Sends statements after those that wait, and before them what begins the transaction.
    @discardableResult
    private func send(_ last: [Statement]) throws(ServerFailure) -> [ServerReply] {
        let statements = (isOpen ? [] : opening) + waiting + last
        (waiting, isOpen) = ([], true)
        do throws(ServerFailure) { return try connection.run(statements) } catch {
            failure = error
            throw error
        }
    }

    private func sqlFailure(_ failure: ServerFailure) -> SQLFailure {
        if case .refused(.uniqueViolation, _, let constraint?) = failure { return .unique(columns: columns(constraint)) }
        return .failed(cause: failure.cause)
    }
}
