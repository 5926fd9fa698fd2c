internal import Store

/// The queries of one read. The first one needs no transaction, because one statement sees one
/// snapshot; if there is a second one, the read is run again in a transaction.
final class PostgreSQLSnapshot: SQLStatements {
    private let connection: PostgreSQLConnection
    private let opening: [Statement]
    private var count = 0
    /// The read has more statements than one.
    private(set) var needsTransaction = false
    private(set) var failure: ServerFailure?

    /// - Parameter opening: begins the transaction; empty for none.
    init(on connection: PostgreSQLConnection, opening: [Statement]) { (self.connection, self.opening) = (connection, opening) }

    /// Whether a transaction has to be ended.
    var isOpen: Bool { count > 0 && !opening.isEmpty }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        if let failure { throw .failed(cause: failure.cause) }
        guard sql.hasPrefix("SELECT") else { throw .failed(cause: "a read must not write") }
        guard !arguments.contains(where: \.containsNUL) else { throw .nulInText }
        guard count == 0 || !opening.isEmpty else {
            needsTransaction = true
            throw .failed(cause: "the read needs a transaction")
        }
        defer { count += 1 }
        do throws(ServerFailure) {
            return try connection.run((count == 0 ? opening : []) + [Statement(sql, arguments)]).last?.rows ?? []
        } catch {
            failure = error
            throw .failed(cause: error.cause)
        }
    }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        throw .failed(cause: "a read must not write")
    }
}
