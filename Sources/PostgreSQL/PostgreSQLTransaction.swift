internal import Accounts
internal import Store

/// The statements of one transaction, on a connection that nothing else uses meanwhile. What can
/// wait is sent together with the next query or the commit, so that most transactions cost two
/// round trips, and one if their first query was sent with the commit of another one.
final class PostgreSQLTransaction: SQLStatements {
    private let connection: PostgreSQLConnection
    /// Begins the transaction.
    private let opening: [Statement]
    /// Whether statements may wait, and assumptions may be made about them.
    private let isSpeculative: Bool
    /// The columns of a unique index, by its name.
    private let columns: (String) -> [String]
    /// The first query with its answer, if they came with the commit of another transaction.
    private var begun: BegunTransaction?
    private var waiting: [Statement] = []
    private(set) var isOpen = false
    private(set) var hasWritten = false
    /// Whether an assumption was made that the server has not confirmed.
    private(set) var hasAssumption = false
    /// The first failure, after which nothing is run.
    private(set) var failure: ServerFailure?

    init(
        on connection: PostgreSQLConnection, opening: [Statement], begun: BegunTransaction?, isSpeculative: Bool,
        columns: @escaping (String) -> [String]
    ) {
        (self.connection, self.opening, self.isSpeculative, self.columns) = (connection, opening, isSpeculative, columns)
        (self.begun, isOpen) = (begun, begun != nil)
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        defer { begun = nil }
        if let begun, !hasWritten, begun.query == Statement(sql, arguments) { return begun.rows }
        return try run(sql, arguments).rows
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
        try send(last) { (statements) throws(ServerFailure) in try connection.run(statements) }
    }

    /// Commits, and runs other statements after that, in one round trip.
    /// - Parameter mark: marks the commit.
    /// - Returns: the answers to the other statements; nil if one of them failed.
    func commit(_ mark: Statement, then others: [Statement]) throws(ServerFailure) -> [ServerReply]? {
        try send([mark, Statement("COMMIT")]) { (statements) throws(ServerFailure) in try connection.run(statements, then: others) }
    }

    private func send<T>(_ last: [Statement], by run: ([Statement]) throws(ServerFailure) -> T) throws(ServerFailure) -> T {
        let statements = (isOpen ? [] : opening) + waiting + last
        (waiting, isOpen) = ([], true)
        do throws(ServerFailure) {
            let replies = try run(statements)
            hasAssumption = false
            return replies
        } catch {
            failure = error
            throw error
        }
    }

    private func sqlFailure(_ failure: ServerFailure) -> SQLFailure {
        // What failed may be a statement that waited.
        if !isSpeculative, case .refused(.uniqueViolation, _, let constraint?) = failure { return .unique(columns: columns(constraint)) }
        return .failed(cause: failure.cause)
    }
}
