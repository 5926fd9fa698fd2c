extension Migration {
    /// The codes of upstreams that Onward tried to apply.
    static func fourthSchema(in d: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE upstream_try (
                digest \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                project TEXT NOT NULL,
                begun_at \(d.integer) NOT NULL,
                finished_at \(d.integer)
            )\(d.keyedTable)
            """,
            "CREATE INDEX upstream_try_by_time ON upstream_try (begun_at)",
        ]
    }
}
