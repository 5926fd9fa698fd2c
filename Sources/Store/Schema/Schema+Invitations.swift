extension Migration {
    /// The invitations that wait, each with the account that it is for.
    static func invitations(in d: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE invitation (
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                sent_at \(d.integer) NOT NULL,
                expires_at \(d.integer) NOT NULL,
                made_account \(d.integer) NOT NULL CHECK (made_account IN (0, 1)),
                newcomer \(d.text),
                newcomer_name \(d.text),
                PRIMARY KEY (project, account),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """
        ]
    }
}
