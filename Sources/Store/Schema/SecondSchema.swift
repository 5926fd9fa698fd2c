extension Migration {
    /// Whole clients: phone numbers and providers that accounts are found by, refresh tokens that follow one another, settings that
    /// admins change, and what admins did.
    static func secondSchema(in d: SQLDialect) -> [String] {
        [
            "CREATE UNIQUE INDEX account_by_phone ON account (project, phone_number)",
            """
            CREATE TABLE linked_provider (
                project TEXT NOT NULL,
                account TEXT NOT NULL,
                provider TEXT NOT NULL CHECK (length(provider) BETWEEN 1 AND 128),
                raw_id TEXT NOT NULL CHECK (length(raw_id) BETWEEN 1 AND 1024),
                email TEXT,
                display_name TEXT,
                photo_url TEXT,
                PRIMARY KEY (project, account, provider),
                UNIQUE (project, provider, raw_id),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.keyedTable)
            """,
            // The first token of a session is its family; those before this schema are each their own.
            "ALTER TABLE session ADD COLUMN family \(d.bytes) CHECK (length(family) = 32)",
            "ALTER TABLE session ADD COLUMN parent \(d.bytes) CHECK (length(parent) = 32)",
            "ALTER TABLE session ADD COLUMN created_at \(d.integer) NOT NULL DEFAULT 0",
            // When a token made from this one was first used.
            "ALTER TABLE session ADD COLUMN retired_at \(d.integer)",
            // Claims of the custom token that began the session, a JSON object.
            "ALTER TABLE session ADD COLUMN claims TEXT",
            "UPDATE session SET family = digest",
            "CREATE INDEX session_of_family ON session (family)",
            "CREATE INDEX retired_session ON session (retired_at) WHERE retired_at IS NOT NULL",
            // A key is published before it signs; those before this schema signed from the start.
            "ALTER TABLE signing_key ADD COLUMN signs_from \(d.integer) NOT NULL DEFAULT 0",
            """
            CREATE TABLE project_settings (
                project TEXT NOT NULL PRIMARY KEY,
                settings TEXT NOT NULL,
                revision \(d.integer) NOT NULL CHECK (revision > 0),
                changed_at \(d.integer) NOT NULL
            )\(d.keyedTable)
            """,
            // Other processes ask for the newest; and no two changes may be the same.
            "CREATE UNIQUE INDEX settings_by_revision ON project_settings (revision)",
            """
            CREATE TABLE audit (
                position \(d.counter),
                at \(d.integer) NOT NULL,
                actor TEXT NOT NULL,
                method TEXT NOT NULL,
                project TEXT,
                subject TEXT,
                peer TEXT,
                request TEXT,
                outcome TEXT
            )\(d.table)
            """,
            "CREATE INDEX audit_by_time ON audit (at)",
        ]
    }
}
