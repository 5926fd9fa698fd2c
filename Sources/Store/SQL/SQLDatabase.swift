public import Accounts

/// A database of any engine, as the statements of this target need it.
public protocol SQLDatabase: Sendable {
    /// How operators know the database: the path of its file.
    var name: String { get }

    var dialect: SQLDialect { get }

    /// Runs `body` on one consistent snapshot. Writing is an error.
    func read<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T

    /// Runs `body` as `read` does, for what is only shown: the snapshot may be a little older than
    /// the last commit, as that of a replica is. What `body` does not find, for which it returns
    /// nil, is not there in the latest snapshot.
    func preview<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T?
    ) async throws(ActionError) -> T?

    /// Runs `body` in its own transaction, which is durable when this returns and rolled back when
    /// it throws. An engine may roll back and run `body` again, so `body` must not have other
    /// effects.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T

    /// Runs `body` in a transaction that may see what others commit while it runs, and does not
    /// conflict with them. So `body` changes only rows that it claimed by queries that end with
    /// `SQLDialect.claiming`, or that one statement finds and changes.
    func claim<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T

    /// Runs `body` in a transaction while no other process runs one by this function, and without
    /// the deadlines that other transactions may have: for migrations.
    func writeAlone<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T

    /// The texts that processes announce by `SQLDialect.announcement`, and an empty one whenever
    /// others may have been missed; nil if the engine cannot tell.
    var announcements: AsyncStream<String>? { get }

    /// The settings that durability depends on, read back from the engine, for the tests
    /// (D1).
    func durabilitySettings() async throws(ActionError) -> [String: String]
}

extension SQLDatabase {
    public var announcements: AsyncStream<String>? { nil }

    /// For an engine without replicas.
    public func preview<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T?
    ) async throws(ActionError) -> T? {
        try await read(body)
    }

    /// For an engine with one writer, which has no conflicts.
    public func claim<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await write(body)
    }

    /// For an engine with one writer, whose transactions have no deadline.
    public func writeAlone<T: Sendable>(
        _ body: @escaping @Sendable (any SQLStatements) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await write(body)
    }
}

/// The statements of one read or one transaction. Placeholders are `?`, in the order of the
/// arguments.
public protocol SQLStatements {
    func rows(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> [SQLRow]
    /// Returns the number of rows that were inserted, updated or deleted, without cascades.
    @discardableResult func execute(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) -> Int
    /// Runs a statement whose result nothing in the transaction depends on. An engine may run it
    /// later, but in the order of the calls.
    func submit(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure)
}

extension SQLStatements {
    public func submit(_ sql: String, _ arguments: [SQLValue]) throws(SQLFailure) { try execute(sql, arguments) }
}
