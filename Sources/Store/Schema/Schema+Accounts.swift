extension Migration {
    /// The tables of accounts and of what belongs to them.
    static func accounts(in d: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE account (
                project \(d.text) NOT NULL,
                id \(d.text) NOT NULL CHECK (length(id) BETWEEN 1 AND 128),
                email \(d.text) CHECK (email = lower(email)),
                email_verified \(d.integer) NOT NULL CHECK (email_verified IN (0, 1)),
                display_name \(d.text),
                photo_url \(d.text),
                password_hash \(d.text),
                password_updated_at \(d.integer),
                valid_since \(d.integer) NOT NULL CHECK (valid_since >= 0),
                disabled \(d.integer) NOT NULL CHECK (disabled IN (0, 1)),
                created_at \(d.integer) NOT NULL,
                last_login_at \(d.integer),
                last_refresh_at \(d.integer),
                language \(d.text),
                initial_email \(d.text) CHECK (initial_email = lower(initial_email)),
                email_link_sign_in \(d.integer) NOT NULL CHECK (email_link_sign_in IN (0, 1)),
                phone_number \(d.text),
                custom_attributes \(d.text),
                PRIMARY KEY (project, id),
                UNIQUE (project, email),
                UNIQUE (project, phone_number)
            )\(d.keyedTableOptions)\(d.fillFactorOption)
            """,
            // `position` is the place in the list of the account's factors, `last_step` the time
            // step of the newest TOTP that was used.
            """
            CREATE TABLE second_factor (
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                id \(d.text) NOT NULL,
                kind \(d.text) NOT NULL CHECK (kind IN ('phone', 'totp')),
                display_name \(d.text),
                phone_number \(d.text) CHECK (phone_number IS NULL OR kind = 'phone'),
                sealed_key \(d.bytes) CHECK ((sealed_key IS NOT NULL) = (kind = 'totp')),
                last_step \(d.integer) CHECK (last_step IS NULL OR kind = 'totp'),
                enrolled_at \(d.integer) NOT NULL,
                position \(d.integer) NOT NULL,
                PRIMARY KEY (project, account, id),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """,
            // A code that was used is deleted.
            """
            CREATE TABLE recovery_code (
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                factor \(d.text) NOT NULL,
                digest \(d.bytes) NOT NULL CHECK (length(digest) = 33),
                PRIMARY KEY (project, account, digest),
                FOREIGN KEY (project, account, factor) REFERENCES second_factor (project, account, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """,
            """
            CREATE TABLE wrong_second_factor (
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                from_known_network \(d.integer) NOT NULL CHECK (from_known_network IN (0, 1)),
                count \(d.integer) NOT NULL CHECK (count > 0),
                next_at \(d.integer) NOT NULL,
                PRIMARY KEY (project, account, from_known_network),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """,
            // A code of a text message. `account` and `second_factor` say what it is for.
            """
            CREATE TABLE verification_code (
                session \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(session) = 33),
                project \(d.text) NOT NULL,
                account \(d.text),
                second_factor \(d.text) CHECK (second_factor IS NULL OR account IS NOT NULL),
                phone_number \(d.text) NOT NULL,
                digest \(d.bytes) NOT NULL CHECK (length(digest) = 33),
                expires_at \(d.integer) NOT NULL,
                wrong_tries \(d.integer) NOT NULL CHECK (wrong_tries BETWEEN 0 AND 5),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """,
            "CREATE INDEX verification_code_by_expiry ON verification_code (expires_at)",
            "CREATE INDEX verification_code_of_account ON verification_code (project, account) WHERE account IS NOT NULL",
            """
            CREATE TABLE wrong_verification_code (
                project \(d.text) NOT NULL,
                phone_number \(d.text) NOT NULL,
                from_known_network \(d.integer) NOT NULL CHECK (from_known_network IN (0, 1)),
                count \(d.integer) NOT NULL CHECK (count > 0),
                next_at \(d.integer) NOT NULL,
                PRIMARY KEY (project, phone_number, from_known_network)
            )\(d.keyedTableOptions)
            """,
            "CREATE INDEX wrong_verification_code_by_time ON wrong_verification_code (next_at)",
            """
            CREATE TABLE linked_provider (
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                provider \(d.text) NOT NULL CHECK (length(provider) BETWEEN 1 AND 128),
                raw_id \(d.text) NOT NULL CHECK (length(raw_id) BETWEEN 1 AND 1024),
                email \(d.text),
                display_name \(d.text),
                photo_url \(d.text),
                PRIMARY KEY (project, account, provider),
                UNIQUE (project, provider, raw_id),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """,
            // An account that was merged into another one, which can be undone for thirty days.
            """
            CREATE TABLE merge (
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                merged \(d.text) NOT NULL CHECK (merged <> account),
                at \(d.integer) NOT NULL,
                sealed_snapshot \(d.bytes) NOT NULL,
                PRIMARY KEY (project, account, merged),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """,
            // An event that waits for the webhook of the app. `account` is the account that it is
            // deleted with, another than `merged_into` if that was merged, too.
            """
            CREATE TABLE account_event (
                position \(d.identityColumn),
                id \(d.text) NOT NULL UNIQUE,
                kind \(d.text) NOT NULL CHECK (kind IN ('merged', 'unmerged')),
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                merged_into \(d.text) NOT NULL,
                merged \(d.text) NOT NULL CHECK (merged <> merged_into),
                at \(d.integer) NOT NULL,
                attempts \(d.integer) NOT NULL CHECK (attempts >= 0),
                due_at \(d.integer) NOT NULL DEFAULT 0,
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.tableOptions)
            """,
            "CREATE INDEX merge_by_time ON merge (at)",
            "CREATE INDEX account_event_of_account ON account_event (project, account)",
            // A refresh token. `family` is the digest of the session's first token, `parent` that
            // of the token it was made from, `retired_at` when a token made from it was first used,
            // `claims` those of the custom token (a JSON object).
            """
            CREATE TABLE session (
                digest \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(digest) = 33),
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                auth_time \(d.integer) NOT NULL,
                provider \(d.text) NOT NULL CHECK (length(provider) BETWEEN 1 AND 128),
                second_factor_method \(d.text) CHECK (second_factor_method IN ('phone', 'totp', 'recovery_code')),
                second_factor \(d.text) CHECK ((second_factor IS NULL) = (second_factor_method IS NULL)),
                family \(d.bytes) NOT NULL CHECK (length(family) = 33),
                parent \(d.bytes) CHECK (length(parent) = 33),
                created_at \(d.integer) NOT NULL,
                retired_at \(d.integer),
                claims \(d.text),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """,
            // A network from which the user of an account signed in.
            """
            CREATE TABLE known_network (
                digest \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(digest) = 33),
                project \(d.text) NOT NULL,
                account \(d.text) NOT NULL,
                seen_at \(d.integer) NOT NULL,
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTableOptions)
            """,
            "CREATE INDEX known_network_of_account ON known_network (project, account)",
            "CREATE INDEX known_network_by_time ON known_network (seen_at)",
            "CREATE INDEX session_of_account ON session (project, account)",
            "CREATE INDEX session_of_family ON session (family)",
            // A family may have many retired tokens, and each refresh looks for the others.
            "CREATE INDEX unretired_session ON session (family, created_at) WHERE retired_at IS NULL",
            "CREATE INDEX retired_session ON session (retired_at) WHERE retired_at IS NOT NULL",
        ]
    }
}
