extension Migration {
    /// Events of accounts, a row for each endpoint that an event waits for. They outlive their
    /// accounts. The events of one `queue` are sent in the order of their positions.
    static func accountEvents(in d: SQLDialect) -> [String] {
        [
            "DROP TABLE account_event",
            """
            CREATE TABLE account_event (
                position \(d.identityColumn),
                id \(d.text) NOT NULL,
                endpoint \(d.text) NOT NULL,
                kind \(d.text) NOT NULL,
                also_kinds \(d.text) NOT NULL,
                project \(d.text) NOT NULL,
                account \(d.text),
                email \(d.text),
                former_email \(d.text),
                details \(d.text) NOT NULL,
                at \(d.integer) NOT NULL,
                queue \(d.text) NOT NULL,
                attempts \(d.integer) NOT NULL CHECK (attempts >= 0),
                due_at \(d.integer) NOT NULL,
                parked_at \(d.integer),
                cause \(d.text),
                UNIQUE (id, endpoint)
            )\(d.tableOptions)
            """,
            "CREATE INDEX account_event_due ON account_event (endpoint, due_at, position) WHERE parked_at IS NULL",
            "CREATE INDEX account_event_of_queue ON account_event (project, queue, endpoint, position) WHERE parked_at IS NULL",
            "CREATE INDEX parked_account_event ON account_event (position) WHERE parked_at IS NOT NULL",
            "CREATE INDEX account_event_of_account ON account_event (project, account)",
            "CREATE INDEX account_event_by_time ON account_event (at)",
        ]
    }
}
