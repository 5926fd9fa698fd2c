internal import Accounts
internal import Store

/// The statements of one transaction, on a connection that nothing else uses meanwhile. What can
/// wait is sent together with the next query or the commit, so that most transactions cost two
/// round trips.
final class PostgreSQLTransaction: SQLStatements {
    private let connection: PostgreSQLConnection
    /// Begins the transaction.
    private let opening: [Statement]
    /// Whether statements may wait, and assumptions may be made about them.
    private let isSpeculative: Bool
    /// The columns of a unique index, by its name.
    private let columns: (String) -> [String]
    private var waiting: [Statement] = []
    private(set) var isOpen = false
    private(set) var hasWritten = false
    /// Whether an assumption was made that the server has not confirmed.
    private(set) var hasAssumption = false
    /// The first failure, after which nothing is run.
    private(set) var failure: ServerFailure?

    init(
        on connection: PostgreSQLConnection, opening: [Statement], isSpeculative: Bool, columns: @escaping (String) -> [String]
    ) {
        (self.connection, self.opening, self.isSpeculative, self.columns) = (connection, opening, isSpeculative, columns)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        try run(sql, arguments).rows
    }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        try run(sql, arguments).count
    }

    func submit(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) {
        guard isSpeculative else {
            try execute(sql, arguments)
            return
        }
        try wait(Statement(sql, arguments))
    }

    func changesRow(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Bool {
        guard isSpeculative else { return try execute(sql, arguments) == 1 }
        try wait(Statement(sql, arguments).requiringOneRow)
        hasAssumption = true
        return true
    }

    private func wait(_ statement: Statement) throws(SQLFailure) {
        try check(statement.arguments)
        hasWritten = true
        waiting.append(statement)
    }

    private func run(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> ServerReply {
        try check(arguments)
        if !sql.hasPrefix("SELECT") { hasWritten = true }
        waiting.append(Statement(sql, arguments))
        do throws(ServerFailure) {
            guard let reply = try send().last else { throw .lost(cause: "an answer is missing") }
            return reply
        } catch { throw sqlFailure(error) }
    }

    private func check(_ arguments: [SQLValue]) throws(SQLFailure) {
        if let failure { throw sqlFailure(failure) }
        guard !arguments.contains(where: \.containsNUL) else { throw .nulInText }
    }

    /// Sends what waits, and the beginning of the transaction before it.
    @discardableResult
    func send(_ last: [Statement] = []) throws(ServerFailure) -> [ServerReply] {
        let statements = (isOpen ? [] : opening) + waiting + last
        (waiting, isOpen) = ([], true)
        do throws(ServerFailure) {
            let replies = try connection.run(statements)
            hasAssumption = false
            return replies
        } catch {
            failure = error
            throw error
        }
    }

    /// - Parameter mark: marks the commit.
    func commit(_ mark: Statement) throws(ServerFailure) { try send([mark, Statement("COMMIT")]) }

    private func sqlFailure(_ failure: ServerFailure) -> SQLFailure {
        // What failed may be a statement that waited.
        if !isSpeculative, case .refused(.uniqueViolation, _, let constraint?) = failure { return .unique(columns: columns(constraint)) }
        return .failed(cause: failure.cause)
    }
}
