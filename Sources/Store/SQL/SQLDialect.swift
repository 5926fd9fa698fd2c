/// The parts of SQL that database engines spell differently, as one engine spells them. All of them
/// are in the schema.
package struct SQLDialect: Sendable {
    /// The type of 64-bit integers.
    package let integer: String
    /// The type of byte strings.
    package let bytes: String
    /// The type and constraints of a primary key whose values the engine assigns in ascending
    /// order.
    package let identityColumn: String
    /// The table options at the end of `CREATE TABLE`.
    package let tableOptions: String
    /// The table options at the end of `CREATE TABLE` for a table that is stored in the order of
    /// its primary key.
    package let keyedTableOptions: String
    /// Selects the names of all tables.
    package let tableNamesQuery: String
    /// The statement, by table and identity column, after which the engine assigns values above the
    /// greatest one of the table; nil if it does so by itself.
    package let restartIdentity: @Sendable (_ table: String, _ column: String) -> String?

    package init(
        integer: String, bytes: String, identityColumn: String, tableOptions: String, keyedTableOptions: String, tableNamesQuery: String,
        restartIdentity: @escaping @Sendable (_ table: String, _ column: String) -> String? = { _, _ in nil }
    ) {
        self.integer = integer
        self.bytes = bytes
        self.identityColumn = identityColumn
        self.tableOptions = tableOptions
        self.keyedTableOptions = keyedTableOptions
        self.tableNamesQuery = tableNamesQuery
        self.restartIdentity = restartIdentity
    }
}
