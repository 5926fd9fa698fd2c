extension Migration {
    /// Every rule that a schema can hold is held here, so that no bug above it can break it. Times are milliseconds since 1970,
    /// Booleans 0 or 1, digests 32 bytes.
    static func firstSchema(in d: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE account (
                project TEXT NOT NULL,
                id TEXT NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
                email TEXT CHECK (email = lower(email)),
                email_verified \(d.integer) NOT NULL CHECK (email_verified IN (0, 1)),
                display_name TEXT,
                photo_url TEXT,
                password_hash TEXT,
                password_updated_at \(d.integer),
                valid_since \(d.integer) NOT NULL CHECK (valid_since >= 0),
                disabled \(d.integer) NOT NULL CHECK (disabled IN (0, 1)),
                created_at \(d.integer) NOT NULL,
                last_login_at \(d.integer),
                language TEXT,
                initial_email TEXT CHECK (initial_email = lower(initial_email)),
                email_link_sign_in \(d.integer) NOT NULL CHECK (email_link_sign_in IN (0, 1)),
                phone_number TEXT,
                custom_attributes TEXT,
                PRIMARY KEY (project, id),
                UNIQUE (project, email)
            )\(d.keyedTable)
            """,
            """
            CREATE TABLE second_factor (
                project TEXT NOT NULL,
                account TEXT NOT NULL,
                id TEXT NOT NULL,
                kind TEXT NOT NULL CHECK (kind IN ('phone', 'totp')),
                display_name TEXT,
                phone_number TEXT CHECK (phone_number IS NULL OR kind = 'phone'),
                enrolled_at \(d.integer) NOT NULL,
                PRIMARY KEY (project, account, id),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTable)
            """,
            """
            CREATE TABLE session (
                digest \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                project TEXT NOT NULL,
                account TEXT NOT NULL,
                auth_time \(d.integer) NOT NULL,
                provider TEXT NOT NULL CHECK (provider IN ('password', 'anonymous', 'custom')),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTable)
            """,
            "CREATE INDEX session_of_account ON session (project, account)",
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
            )\(d.keyedTable)
            """,
            "CREATE INDEX code_of_account ON code (project, account, action)",
            "CREATE INDEX live_code_of_address ON code (project, email, action, created_at) WHERE ending IS NULL",
            "CREATE INDEX code_by_end ON code (coalesce(ended_at, expires_at))",
            """
            CREATE TABLE mail (
                position \(d.counter),
                id TEXT NOT NULL UNIQUE,
                project TEXT NOT NULL,
                recipient TEXT NOT NULL CHECK (recipient = lower(recipient)),
                kind TEXT NOT NULL,
                language TEXT NOT NULL,
                sealed \(d.bytes) NOT NULL,
                created_at \(d.integer) NOT NULL,
                useless_after \(d.integer),
                attempts \(d.integer) NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                next_attempt_at \(d.integer),
                delivered_at \(d.integer)
            )\(d.table)
            """,
            "CREATE INDEX mail_of_recipient ON mail (project, recipient, position)",
            """
            CREATE TABLE signing_key (
                id TEXT NOT NULL PRIMARY KEY,
                created_at \(d.integer) NOT NULL,
                sealed_private_key \(d.bytes) NOT NULL
            )\(d.keyedTable)
            """,
            """
            CREATE TABLE admin_key (
                digest \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(digest) = 32),
                id TEXT NOT NULL UNIQUE,
                label TEXT NOT NULL,
                created_at \(d.integer) NOT NULL,
                revoked_at \(d.integer)
            )\(d.keyedTable)
            """,
        ]
    }
}
