internal import Store

/// The queries of one read, in a transaction that sees one snapshot.
final class PostgreSQLSnapshot: SQLStatements {
    private let connection: PostgreSQLConnection
    private let opening: [Statement]
    /// Whether a transaction has to be ended.
    private(set) var isOpen = false
    private(set) var failure: ServerFailure?

    /// - Parameter opening: begins the transaction.
    init(on connection: PostgreSQLConnection, opening: [Statement]) { (self.connection, self.opening) = (connection, opening) }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        if let failure { throw .failed(cause: failure.cause) }
        guard sql.hasPrefix("SELECT") else { throw .failed(cause: "a read must not write") }
        let statement = try Statement(checking: sql, arguments)
        defer { isOpen = true }
        do throws(ServerFailure) {
            return try connection.run((isOpen ? [] : opening) + [statement]).last?.rows ?? []
        } catch {
            failure = error
            throw .failed(cause: error.cause)
        }
    }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        throw .failed(cause: "a read must not write")
    }
}
