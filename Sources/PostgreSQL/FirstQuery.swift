internal import Accounts
internal import Store

/// The statements of a read or a transaction that has the answer to its first query, or not even
/// that.
final class FirstQuery: SQLStatements {
    private var answer: [SQLRow]?
    /// The first query; nil if there was none, or if it cannot be sent.
    private(set) var query: Statement?
    /// Whether nothing else was asked.
    private(set) var isEnough = true

    init(answer: [SQLRow]? = nil) { self.answer = answer }

    /// The first query of a closure; nil if there is none, or if something is written before.
    static func query<T>(of body: (any SQLStatements) throws(ActionError) -> T) -> Statement? {
        let first = FirstQuery()
        _ = try? body(first)
        return first.query
    }

    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
        if let answer {
            self.answer = nil
            return answer
        }
        if query == nil, isEnough, sql.hasPrefix("SELECT") { query = try Statement(checking: sql, arguments) }
        isEnough = false
        throw .failed(cause: "the query has no answer yet")
    }

    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
        isEnough = false
        throw .failed(cause: "a write before the first query has its answer")
    }
}
