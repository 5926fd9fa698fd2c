/// The parts of SQL that database engines spell differently, as one engine spells them. Nearly all
/// of them are in the schema.
public struct SQLDialect: Sendable {
    /// The type of 64-bit integers.
    public let integer: String
    /// The type of byte strings.
    public let bytes: String
    /// The type of texts, which are compared and ordered by their bytes.
    public let text: String
    /// The type and constraints of a primary key whose values the engine assigns in ascending
    /// order.
    public let identityColumn: String
    /// The table options at the end of `CREATE TABLE`.
    public let tableOptions: String
    /// The table options at the end of `CREATE TABLE` for a table that is stored in the order of
    /// its primary key.
    public let keyedTableOptions: String
    /// The last table option for a table whose rows are changed, but not their indexed columns:
    /// leaves room for changed rows on their pages.
    public let fillFactorOption: String
    /// Whether a change of a column in the condition of an index costs no more than the change of
    /// that index. If not, conditions have no columns that often change.
    public let allowsMutableIndexPredicates: Bool
    /// Selects the names of all tables except those of `ownTables`.
    public let tableNamesQuery: String
    /// Creates the tables that the engine itself needs.
    public let ownTables: [String]
    /// Ends a query whose rows the transaction is going to change: skips rows that another
    /// transaction has claimed by such a query.
    public let claiming: String
    /// Announces a change to the other processes when the transaction is committed. The parameter
    /// is a text about it. Nil if the engine cannot do that.
    public let announcement: String?
    /// The time of the database in milliseconds since 1970.
    public let now: String
    /// Whether that is the time of a server, which all nodes share and whose order of their rows
    /// depends on no node's clock.
    public let hasServerClock: Bool
    /// A sentence that says how an operator starts with an empty database.
    public let adviceForEmptyDatabase: String
    /// The statement, by table and identity column, after which the engine assigns values above the
    /// greatest one of the table; nil if it does so by itself.
    public let restartIdentity: @Sendable (_ table: String, _ column: String) -> String?

    public init(
        integer: String, bytes: String, text: String, identityColumn: String, tableOptions: String, keyedTableOptions: String,
        fillFactorOption: String = "", allowsMutableIndexPredicates: Bool = true, tableNamesQuery: String, ownTables: [String] = [],
        claiming: String = "",
        announcement: String? = nil, now: String, hasServerClock: Bool = false, adviceForEmptyDatabase: String,
        restartIdentity: @escaping @Sendable (_ table: String, _ column: String) -> String? = { _, _ in nil }
    ) {
        self.integer = integer
        self.bytes = bytes
        self.text = text
        self.identityColumn = identityColumn
        self.tableOptions = tableOptions
        self.keyedTableOptions = keyedTableOptions
        self.fillFactorOption = fillFactorOption
        self.allowsMutableIndexPredicates = allowsMutableIndexPredicates
        self.tableNamesQuery = tableNamesQuery
        self.ownTables = ownTables
        self.claiming = claiming
        self.announcement = announcement
        self.now = now
        self.hasServerClock = hasServerClock
        self.adviceForEmptyDatabase = adviceForEmptyDatabase
        self.restartIdentity = restartIdentity
    }
}
