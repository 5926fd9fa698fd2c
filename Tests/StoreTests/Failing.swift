import Accounts
import Store

/// A database whose n-th statement of each transaction fails.
struct Failing: SQLDatabase {
    let base: any SQLDatabase
    let statement: Int

    var name: String { base.name }
    var dialect: SQLDialect { base.dialect }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T { try await base.read(body) }

    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await base.write { db throws(ActionError) in try body(Countdown(base: db, left: statement)) }
    }

    func writeAlone<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await base.writeAlone { db throws(ActionError) in try body(Countdown(base: db, left: statement)) }
    }

    func durabilitySettings() async throws(ActionError) -> [String: String] { try await base.durabilitySettings() }

    private final class Countdown: SQLStatements {
        let base: any SQLStatements
        var left: Int

        init(base: any SQLStatements, left: Int) {
            self.base = base
            self.left = left
        }

        func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
            try count()
            return try base.rows(sql, arguments)
        }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
            try count()
            return try base.execute(sql, arguments)
        }

        private func count() throws(SQLFailure) {
            left -= 1
            if left == 0 { throw .failed(cause: "injected") }
        }
    }
}

extension ActionError {
    var isInjected: Bool { if case .unavailable(let down) = self { down.cause == "injected" } else { false } }

    /// The cause that is logged; nil unless the error is `unavailable`.
    var cause: String? { if case .unavailable(let down) = self { down.cause } else { nil } }
}

/// Returns the error that `body` throws.
func failure(_ body: () async throws -> Void) async throws -> ActionError? {
    do {
        try await body()
        return nil
    } catch let error as ActionError { return error }
}
