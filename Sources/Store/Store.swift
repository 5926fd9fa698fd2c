package import Accounts
package import EmailActions

/// Everything that Onward remembers, over any engine. Conforms to what `Accounts` and `EmailActions` ask of a store; the other
/// doors are in `BoundAddresses`.
package struct Store: Sendable {
    let connection: any SQLDatabase

    /// Brings the database to the schema of this Onward first. Throws `Unavailable` with a sentence for the operator when it is
    /// not Onward's, or a newer Onward's (D7, D8).
    package static func open(_ connection: any SQLDatabase) async throws(ActionError) -> Store {
        try await Migration.run(on: connection)
        return Store(connection: connection)
    }

    /// Leaves the schema alone, for commands that only look; what a schema lacks is `Unavailable`.
    package static func asItIs(_ connection: any SQLDatabase) -> Store { Store(connection: connection) }

    func read<T: Sendable>(records body: @escaping @Sendable (Records) throws(ActionError) -> T) async throws(ActionError) -> T {
        try await connection.read { db throws(ActionError) in try body(Records(db: db)) }
    }

    func transaction<T: Sendable>(records body: @escaping @Sendable (Records) throws(ActionError) -> T) async throws(ActionError) -> T {
        try await connection.write { db throws(ActionError) in try body(Records(db: db)) }
    }
}

extension Store: ActionStore {
    package func read<T: Sendable>(
        _ body: @escaping @Sendable (any AccountRecords) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await read(records: body)
    }

    package func transaction<T: Sendable>(
        _ body: @escaping @Sendable (any AccountRecords) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await transaction(records: body)
    }

    package func read<T: Sendable>(
        actions body: @escaping @Sendable (any ActionRecords) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await read(records: body)
    }

    package func transaction<T: Sendable>(
        actions body: @escaping @Sendable (any ActionRecords) throws(ActionError) -> T
    ) async throws(ActionError) -> T {
        try await transaction(records: body)
    }
}
