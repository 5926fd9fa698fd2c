import Accounts
import Store
import Synchronization

/// Counts the reads, transactions and statements that a store runs.
package final class Counted: Sendable {
    package struct Work: Sendable, Equatable {
        package var reads = 0
        /// The reads that a replica may answer.
        package var previews = 0
        package var transactions = 0
        package var statements: [String] = []
    }

    private let work = Mutex(Work())
    private let isDown = Mutex(false)

    package init() {}

    /// Lets everything fail from now on.
    package func fail() { isDown.withLock { $0 = true } }

    fileprivate func check() throws(ActionError) {
        if isDown.withLock({ $0 }) { throw .unavailable(Unavailable(.store, cause: "down")) }
    }

    /// Returns the counts since the last call and starts at zero again.
    package func reset() -> Work {
        work.withLock { work in
            defer { work = Work() }
            return work
        }
    }

    fileprivate func add(_ change: (inout Work) -> Void) { work.withLock { change(&$0) } }
}

/// A database that counts what it runs.
struct Counting: SQLDatabase {
    let base: any SQLDatabase
    let counted: Counted

    init(base: any SQLDatabase, counted: Counted) { (self.base, self.counted) = (base, counted) }

    var name: String { base.name }
    var dialect: SQLDialect { base.dialect }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try counted.check()
        counted.add { $0.reads += 1 }
        return try await base.read { [counted] db throws(ActionError) in try body(Statements(base: db, counted: counted)) }
    }

    func preview<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T?
    ) async throws(ActionError) -> T? {
        try counted.check()
        counted.add { $0.previews += 1 }
        return try await base.preview { [counted] db throws(ActionError) in try body(Statements(base: db, counted: counted)) }
    }

    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try counted.check()
        counted.add { $0.transactions += 1 }
        return try await base.write { [counted] db throws(ActionError) in try body(Statements(base: db, counted: counted)) }
    }

    func durabilitySettings() async throws(ActionError) -> [String: String] { try await base.durabilitySettings() }

    private struct Statements: SQLStatements {
        let base: any SQLStatements
        let counted: Counted

        func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow] {
            counted.add { $0.statements.append(sql) }
            return try base.rows(sql, arguments)
        }

        func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int {
            counted.add { $0.statements.append(sql) }
            return try base.execute(sql, arguments)
        }
    }
}
