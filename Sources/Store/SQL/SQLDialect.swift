/// The few words that engines spell differently, all of them in the schema.
package struct SQLDialect: Sendable {
    /// The type of 64-bit integers.
    package let integer: String
    /// The type of byte strings.
    package let bytes: String
    /// Type and constraint of a primary key that counts up by itself.
    package let counter: String
    /// What follows the columns of a table.
    package let table: String
    /// What follows the columns of a table that is kept in the order of its primary key.
    package let keyedTable: String
    /// Selects the names of all tables there are.
    package let tableNames: String

    package init(integer: String, bytes: String, counter: String, table: String, keyedTable: String, tableNames: String) {
        self.integer = integer
        self.bytes = bytes
        self.counter = counter
        self.table = table
        self.keyedTable = keyedTable
        self.tableNames = tableNames
    }
}
