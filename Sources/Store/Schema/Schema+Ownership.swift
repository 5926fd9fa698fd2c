extension Migration {
    /// The addresses that accounts have proved, and the times since which accounts have what can be
    /// used to sign in to them.
    static func ownership(in d: SQLDialect) -> [String] {
        [
            // `unverified_since` is null while the account holds the address and it is verified.
            """
            CREATE TABLE proved_address (
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                email \(d.text) NOT NULL CHECK (email = lower(email)),
                proved_at \(d.integer) NOT NULL,
                unverified_since \(d.integer),
                PRIMARY KEY (project, account, email),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """,
            "ALTER TABLE account ADD COLUMN email_since \(d.integer)",
            "ALTER TABLE account ADD COLUMN named_by_admin_at \(d.integer)",
            "ALTER TABLE account ADD COLUMN removed_email \(d.text) CHECK (removed_email = lower(removed_email))",
            "ALTER TABLE account ADD COLUMN phone_linked_at \(d.integer)",
            "ALTER TABLE account ADD COLUMN entered_at \(d.integer)",
            "ALTER TABLE linked_provider ADD COLUMN linked_at \(d.integer) NOT NULL DEFAULT 0",
            "ALTER TABLE second_factor ADD COLUMN by_admin \(d.integer) NOT NULL DEFAULT 0 CHECK (by_admin IN (0, 1))",
            "ALTER TABLE code ADD COLUMN superseded \(d.integer) NOT NULL DEFAULT 0 CHECK (superseded IN (0, 1))",
            // It is not known which accounts with a phone were entered by it first. If one was not,
            // the owner of its unproved address gets a new account, and no user loses one.
            "UPDATE account SET phone_linked_at = created_at, entered_at = created_at WHERE phone_number IS NOT NULL",
            // An undo link of an address that was never proved has no power.
            """
            UPDATE code SET ending = 'withdrawn', ended_at = created_at
            WHERE action = 'recoverEmail' AND ending IS NULL AND settings LIKE '%"restoresUnverifiedAddress":true%'
            """,
            // An account proved the addresses that undo links restore in the order in which it left
            // them, and its present one after them.
            """
            INSERT INTO proved_address (project, account, email, proved_at, unverified_since)
            SELECT project, account, email, min(created_at), min(created_at) FROM code
            WHERE action = 'recoverEmail' AND ending IS NULL AND account IS NOT NULL GROUP BY project, account, email
            """,
            """
            INSERT INTO proved_address (project, account, email, proved_at)
            SELECT project, id, email, coalesce(
                (SELECT max(proved_at) + 1 FROM proved_address AS former
                WHERE former.project = account.project AND former.account = account.id), created_at)
            FROM account WHERE email_verified = 1 AND email IS NOT NULL
            ON CONFLICT (project, account, email) DO UPDATE SET unverified_since = NULL
            """,
        ]
    }
}
