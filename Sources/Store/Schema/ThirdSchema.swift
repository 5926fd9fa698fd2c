extension Migration {
    /// Spending a code writes its own row and no index, and codes lie in the order in which they were made: those that are spent
    /// together, the newest, share their pages (decision 14).
    static func thirdSchema(in d: SQLDialect) -> [String] {
        [
            "ALTER TABLE code RENAME TO code_by_digest",
            """
            CREATE TABLE code (
                digest \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                project TEXT NOT NULL,
                action TEXT NOT NULL CHECK (action IN (
                    'resetPassword', 'verifyEmail', 'signIn', 'verifyAndChangeEmail', 'recoverEmail', 'revertSecondFactorAddition')),
                account TEXT CHECK (account IS NOT NULL OR action = 'signIn'),
                email TEXT NOT NULL CHECK (email = lower(email)),
                new_email TEXT CHECK (new_email = lower(new_email)),
                second_factor TEXT,
                settings TEXT NOT NULL,
                language TEXT,
                created_at \(d.integer) NOT NULL,
                expires_at \(d.integer) NOT NULL CHECK (expires_at >= created_at),
                ending TEXT CHECK (ending IN ('used', 'withdrawn')),
                ended_at \(d.integer),
                CHECK ((ending IS NULL) = (ended_at IS NULL)),
                CHECK (new_email IS NOT NULL OR action <> 'verifyAndChangeEmail'),
                CHECK (second_factor IS NOT NULL OR action <> 'revertSecondFactorAddition'),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.table)
            """,
            """
            INSERT INTO code (digest, project, action, account, email, new_email, second_factor, settings, language, created_at,
                expires_at, ending, ended_at)
            SELECT digest, project, action, account, email, new_email, second_factor, settings, language, created_at,
                expires_at, ending, ended_at
            FROM code_by_digest ORDER BY created_at
            """,
            "DROP TABLE code_by_digest",
            "CREATE INDEX code_of_account ON code (project, account, action)",
            // Few codes of one address and action are not yet expired, so those that ended need not be left out.
            "CREATE INDEX code_of_address ON code (project, email, action, expires_at)",
            "CREATE INDEX code_by_expiry ON code (expires_at)",
            "CREATE INDEX decoy ON code (created_at) WHERE account IS NULL AND ended_at = created_at",
        ]
    }
}
