extension Migration {
    /// The last range of row ids that was reserved, in one row.
    static func rowIDRanges(in d: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE row_id_range (
                id \(d.integer) NOT NULL PRIMARY KEY CHECK (id = 1),
                number \(d.integer) NOT NULL CHECK (number >= 0),
                starts_at \(d.integer) NOT NULL
            )\(d.tableOptions)
            """
        ]
    }
}
