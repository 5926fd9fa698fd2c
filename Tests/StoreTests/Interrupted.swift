import Accounts
import Store
import Synchronization

/// A database whose statements all fail from a moment on, as if the process had been killed.
final class Interrupted: SQLDatabase {
    let base: any SQLDatabase
    private let isLast: @Sendable (_ sql: String, _ number: Int) -> Bool
    private let state = Mutex((number: 0, hasEnded: false))

    /// - Parameter isLast: whether the statement with this number, from 1, fails and all after it.
    init(base: any SQLDatabase, at isLast: @escaping @Sendable (_ sql: String, _ number: Int) -> Bool) {
        (self.base, self.isLast) = (base, isLast)
    }

    var name: String { base.name }
    var dialect: SQLDialect { base.dialect }
    var hasEnded: Bool { state.withLock(\.hasEnded) }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await base.read { [self] db throws(ActionError) in try body(Statements(base: db, database: self)) }
    }

    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await base.write { [self] db throws(ActionError) in try body(Statements(base: db, database: self)) }
    }

    func durabilitySettings() async throws(ActionError) -> [String: String] { try await base.durabilitySettings() }

    private func count(_ sql: String) throws(SQLFailure) {
        let hasEnded = state.withLock { state in
            state.number += 1
            if isLast(sql, state.number) { state.hasEnded = true }
            return state.hasEnded
        }
        if hasEnded { throw .failed(cause: "injected") }
    }

    private struct Statements: SQLStatements {
        let base: any SQLStatements
        let database: Interrupted

        func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
            try database.count(sql)
            return try base.rows(sql, arguments)
        }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
            try database.count(sql)
            return try base.execute(sql, arguments)
        }
    }
}
