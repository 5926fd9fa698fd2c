package import Accounts

/// One database, whichever its engine: all that the statements of this target need of it.
package protocol SQLDatabase: Sendable {
    /// How this engine spells what the schema needs.
    var dialect: SQLDialect { get }

    /// Runs `body` on one consistent state. What it writes is an error.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T

    /// Runs `body` in a transaction of its own: durable when this returns, rolled back whole when it throws. Engines may roll it back
    /// and run it once more, so it keeps nothing elsewhere.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T

    /// The settings that durability hangs on, read back from the engine, for the health report (D1).
    func findings() async throws(ActionError) -> [String: String]
}

/// What may be asked inside one read or one transaction. Placeholders are `?`, numbered by their order.
package protocol SQLStatements {
    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow]
    /// How many rows it inserted, updated or deleted, cascades not counted.
    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int
}
