/// How one database engine spells the parts of SQL that differ between engines. All of them are in
/// the schema.
package struct SQLDialect: Sendable {
    /// The type of 64-bit integers.
    package let integer: String
    /// The type of byte strings.
    package let bytes: String
    /// The type and constraints of a primary key whose values the engine assigns in ascending
    /// order.
    package let identityColumn: String
    /// What follows the columns of a table.
    package let tableOptions: String
    /// What follows the columns of a table that is stored in the order of its primary key.
    package let keyedTableOptions: String
    /// Selects the names of all tables.
    package let tableNamesQuery: String

    package init(
        integer: String, bytes: String, identityColumn: String, tableOptions: String, keyedTableOptions: String, tableNamesQuery: String
    ) {
        self.integer = integer
        self.bytes = bytes
        self.identityColumn = identityColumn
        self.tableOptions = tableOptions
        self.keyedTableOptions = keyedTableOptions
        self.tableNamesQuery = tableNamesQuery
    }
}
