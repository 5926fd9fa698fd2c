extension Migration {
    /// A code tells where it lies, so that it is found without an index; those made before have places below zero (decision 19). A code
    /// knows whether a newer one was made, and which codes of an account are not yet expired is seen in the index.
    static func fifthSchema(in d: SQLDialect) -> [String] {
        [
            "ALTER TABLE code RENAME TO code_without_place",
            """
            CREATE TABLE code (
                row_id \(d.integer) NOT NULL PRIMARY KEY,
                digest \(d.bytes) NOT NULL CHECK (length(digest) = 32),
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
                has_newer \(d.integer) NOT NULL DEFAULT 0 CHECK (has_newer IN (0, 1)),
                CHECK ((ending IS NULL) = (ended_at IS NULL)),
                CHECK (new_email IS NOT NULL OR action <> 'verifyAndChangeEmail'),
                CHECK (second_factor IS NOT NULL OR action <> 'revertSecondFactorAddition'),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.table)
            """,
            // Whether there is a newer one is looked up for each of these.
            """
            INSERT INTO code (row_id, digest, project, action, account, email, new_email, second_factor, settings, language, created_at,
                expires_at, ending, ended_at, has_newer)
            SELECT row_number() OVER (ORDER BY created_at) - 1 - (SELECT count(*) FROM code_without_place), digest, project, action,
                account, email, new_email, second_factor, settings, language, created_at, expires_at, ending, ended_at, 1
            FROM code_without_place ORDER BY created_at
            """,
            "DROP TABLE code_without_place",
            "CREATE UNIQUE INDEX code_by_digest ON code (digest) WHERE row_id < 0",
            "CREATE INDEX code_of_account ON code (project, account, action, expires_at)",
            "CREATE INDEX code_of_address ON code (project, email, action, expires_at)",
            "CREATE INDEX code_by_expiry ON code (expires_at)",
            "CREATE INDEX decoy ON code (created_at) WHERE account IS NULL AND ended_at = created_at",
        ]
    }
}
