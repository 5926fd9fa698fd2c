/// The parts of SQL that database engines spell differently, as one engine spells them. Nearly all
/// of them are in the schema.
package struct SQLDialect: Sendable {
    /// The type of 64-bit integers.
    package let integer: String
    /// The type of byte strings.
    package let bytes: String
    /// The type of texts, which are compared and ordered by their bytes.
    package let text: String
    /// The type and constraints of a primary key whose values the engine assigns in ascending
    /// order.
    package let identityColumn: String
    /// The table options at the end of `CREATE TABLE`.
    package let tableOptions: String
    /// The table options at the end of `CREATE TABLE` for a table that is stored in the order of
    /// its primary key.
    package let keyedTableOptions: String
    /// The last table option for a table whose rows are changed, but not their indexed columns:
    /// leaves room for changed rows on their pages.
    package let room: String
    /// Whether a change of a column in the condition of an index costs no more than the change of
    /// that index. If not, conditions have no columns that often change.
    package let hasCheapConditions: Bool
    /// Selects the names of all tables except those of `ownTables`.
    package let tableNamesQuery: String
    /// Creates the tables that the engine itself needs.
    package let ownTables: [String]
    /// Ends a query whose rows the transaction is going to change: skips rows that another
    /// transaction has claimed by such a query.
    package let claiming: String
    /// Announces a change to the other processes when the transaction is committed; nil if the
    /// engine cannot do that.
    package let announcement: String?
    /// The time of the database in milliseconds since 1970.
    package let now: String
    /// Whether that is the time of a server, which all nodes share and whose order of their rows
    /// depends on no node's clock.
    package let hasServerClock: Bool
    /// A sentence that says how an operator starts with an empty database.
    package let wayOut: String
    /// The statement, by table and identity column, after which the engine assigns values above the
    /// greatest one of the table; nil if it does so by itself.
    package let restartIdentity: @Sendable (_ table: String, _ column: String) -> String?

    package init(
        integer: String, bytes: String, text: String, identityColumn: String, tableOptions: String, keyedTableOptions: String,
        room: String = "", hasCheapConditions: Bool = true, tableNamesQuery: String, ownTables: [String] = [], claiming: String = "",
        announcement: String? = nil, now: String, hasServerClock: Bool = false, wayOut: String,
        restartIdentity: @escaping @Sendable (_ table: String, _ column: String) -> String? = { _, _ in nil }
    ) {
        self.integer = integer
        self.bytes = bytes
        self.text = text
        self.identityColumn = identityColumn
        self.tableOptions = tableOptions
        self.keyedTableOptions = keyedTableOptions
        self.room = room
        self.hasCheapConditions = hasCheapConditions
        self.tableNamesQuery = tableNamesQuery
        self.ownTables = ownTables
        self.claiming = claiming
        self.announcement = announcement
        self.now = now
        self.hasServerClock = hasServerClock
        self.wayOut = wayOut
        self.restartIdentity = restartIdentity
    }
}
