extension Migration {
    /// The tables of Onward 0.1.0. Every rule that a schema can hold is held here, so that no bug
    /// above it can break it. Times are milliseconds since 1970, Booleans 0 or 1, digests 33 bytes.
    static func initialSchema(in d: SQLDialect) -> [String] {
        accounts(in: d) + codes(in: d) + mail(in: d) + links(in: d) + administration(in: d)
    }

    /// Nodes may try the code of an upstream at the same time.
    static func upstreamTries(in d: SQLDialect) -> [String] {
        ["ALTER TABLE upstream_try ADD COLUMN open_tries \(d.integer) NOT NULL DEFAULT 1"]
    }

    /// A code contains its row id, so no index is needed to find it; spending it writes its row and
    /// no index; codes are stored in the order of their creation, so those that are spent together,
    /// the newest, share pages (decisions 14 and 19).
    private static func codes(in d: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE code (
                row_id \(d.integer) NOT NULL PRIMARY KEY,
                digest \(d.bytes) NOT NULL CHECK (length(digest) = 33),
                project \(d.text) NOT NULL,
                action \(d.text) NOT NULL CHECK (action IN (
                    'resetPassword', 'verifyEmail', 'signIn', 'verifyAndChangeEmail', 'recoverEmail', 'revertSecondFactorAddition')),
                account \(d.text) CHECK (account IS NOT NULL OR action = 'signIn'),
                email \(d.text) NOT NULL CHECK (email = lower(email)),
                new_email \(d.text) CHECK (new_email = lower(new_email)),
                second_factor \(d.text),
                settings \(d.text) NOT NULL,
                language \(d.text),
                created_at \(d.integer) NOT NULL,
                expires_at \(d.integer) NOT NULL CHECK (expires_at >= created_at),
                ending \(d.text) CHECK (ending IN ('used', 'withdrawn')),
                ended_at \(d.integer),
                has_siblings \(d.integer) NOT NULL DEFAULT 0 CHECK (has_siblings IN (0, 1)),
                mail_has_number \(d.integer) NOT NULL DEFAULT 0 CHECK (mail_has_number IN (0, 1)),
                wrong_numbers_left \(d.integer) CHECK (wrong_numbers_left BETWEEN 0 AND 5),
                CHECK ((ending IS NULL) = (ended_at IS NULL)),
                CHECK (wrong_numbers_left IS NULL OR mail_has_number = 1),
                CHECK (wrong_numbers_left > 0 OR ending IS NOT NULL),
                CHECK (new_email IS NOT NULL OR action <> 'verifyAndChangeEmail'),
                CHECK (second_factor IS NOT NULL OR action <> 'revertSecondFactorAddition'),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.tableOptions)\(d.fillFactorOption)
            """,
            "CREATE INDEX code_of_account ON code (project, account, action, expires_at)",
            // Includes ended codes, and decoys as if they had expired.
            "CREATE INDEX code_of_address ON code (project, email, action, expires_at)",
            "CREATE INDEX code_by_expiry ON code (expires_at)",
            "CREATE INDEX decoy_code ON code (created_at) WHERE \(d.decoys)",
            // Codes of an upstream project that Onward tried to apply.
            """
            CREATE TABLE upstream_try (
                digest \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(digest) = 33),
                project \(d.text) NOT NULL,
                begun_at \(d.integer) NOT NULL,
                finished_at \(d.integer)
            )\(d.keyedTableOptions)
            """,
            "CREATE INDEX upstream_try_by_time ON upstream_try (begun_at)",
        ]
    }

    /// A mail waits until it has an `ending`. `due_at` is null if it can be sent now; otherwise it
    /// is the time of its next attempt or the end of the lease under which it is being sent. `turn`
    /// orders the mails of a project so that turns go round the networks from which they were asked
    /// for. A mail that was sent keeps neither its letter nor its recipient.
    private static func mail(in d: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE mail (
                id \(d.integer) NOT NULL PRIMARY KEY,
                project \(d.text) NOT NULL,
                account \(d.text),
                code \(d.integer),
                recipient \(d.text) CHECK (recipient = lower(recipient)),
                recipient_digest \(d.bytes) NOT NULL CHECK (length(recipient_digest) = 33),
                kind \(d.text) NOT NULL,
                language \(d.text) NOT NULL,
                source \(d.integer) NOT NULL,
                sealed \(d.bytes),
                created_at \(d.integer) NOT NULL,
                useless_after \(d.integer),
                priority \(d.integer) NOT NULL CHECK (priority IN (0, 1)),
                turn \(d.integer) NOT NULL CHECK (turn >= 0),
                attempts \(d.integer) NOT NULL DEFAULT 0 CHECK (attempts >= 0),
                due_at \(d.integer),
                ending \(d.text) CHECK (ending IN ('sent', 'parked', 'expired', 'dropped')),
                ended_at \(d.integer),
                relay \(d.text),
                answer \(d.text),
                CHECK ((ending IS NULL) = (ended_at IS NULL)),
                CHECK (sealed IS NOT NULL AND recipient IS NOT NULL OR ending IS NOT NULL),
                FOREIGN KEY (project, account) REFERENCES account (project, id) ON DELETE CASCADE
            )\(d.tableOptions)
            """,
            "CREATE INDEX mail_by_turn ON mail (project, priority, turn, id) WHERE ending IS NULL AND due_at IS NULL",
            "CREATE INDEX mail_of_source ON mail (project, priority, source, turn) WHERE ending IS NULL",
            "CREATE INDEX postponed_mail ON mail (due_at) WHERE ending IS NULL AND due_at IS NOT NULL",
            "CREATE INDEX waiting_mail ON mail (created_at) WHERE ending IS NULL",
            "CREATE INDEX ended_mail ON mail (ended_at) WHERE ending IS NOT NULL",
            "CREATE INDEX mail_of_recipient ON mail (project, recipient_digest, id)",
            "CREATE INDEX mail_of_account ON mail (project, account) WHERE account IS NOT NULL",
            // An address that does not exist until `until`, or whose owner wants no notices.
            """
            CREATE TABLE mail_suppression (
                project \(d.text) NOT NULL,
                recipient_digest \(d.bytes) NOT NULL CHECK (length(recipient_digest) = 33),
                reason \(d.text) NOT NULL CHECK (reason IN ('bounce', 'complaint')),
                provider \(d.text) NOT NULL,
                at \(d.integer) NOT NULL,
                until \(d.integer) CHECK ((until IS NULL) = (reason = 'complaint')),
                PRIMARY KEY (project, recipient_digest, reason)
            )\(d.keyedTableOptions)
            """,
            "CREATE INDEX suppression_by_end ON mail_suppression (until) WHERE until IS NOT NULL",
            // Reports of providers that were received, so that each counts once.
            """
            CREATE TABLE mail_report (
                digest \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(digest) = 33),
                received_at \(d.integer) NOT NULL
            )\(d.keyedTableOptions)
            """,
            "CREATE INDEX mail_report_by_time ON mail_report (received_at)",
        ]
    }

    /// A visit reads one row by `UNIQUE (origin, path)`. A link never contains a one-time code,
    /// which would be stored in clear. Clients' links are numbered, so that their number is known
    /// without counting; see `ShortLink`.
    private static func links(in d: SQLDialect) -> [String] {
        [
            """
            CREATE TABLE short_link (
                id \(d.identityColumn),
                project \(d.text) NOT NULL,
                origin \(d.text) NOT NULL,
                path \(d.text) NOT NULL CHECK (path LIKE '/_%' AND length(path) <= 255),
                link \(d.text) NOT NULL CHECK (length(link) <= 7168 AND lower(link) NOT LIKE '%oobcode%'),
                name \(d.text),
                created_at \(d.integer) NOT NULL,
                client_number \(d.integer) CHECK (client_number > 0),
                disabled_at \(d.integer),
                UNIQUE (origin, path)
            )\(d.tableOptions)
            """,
            "CREATE UNIQUE INDEX short_link_of_clients ON short_link (project, client_number) WHERE client_number IS NOT NULL",
            // `day` counts from 1970-01-01, in UTC.
            """
            CREATE TABLE short_link_count (
                link \(d.integer) NOT NULL REFERENCES short_link (id) ON DELETE CASCADE,
                day \(d.integer) NOT NULL,
                platform \(d.text) NOT NULL CHECK (platform IN ('ANDROID', 'IOS', 'DESKTOP')),
                event \(d.text) NOT NULL CHECK (event IN ('CLICK', 'REDIRECT')),
                count \(d.integer) NOT NULL CHECK (count > 0),
                PRIMARY KEY (link, day, platform, event)
            )\(d.keyedTableOptions)
            """,
            "CREATE INDEX short_link_count_by_day ON short_link_count (day)",
        ]
    }

    private static func administration(in d: SQLDialect) -> [String] {
        [
            // A key is published before `signs_from`, so that verifiers know it when it signs.
            """
            CREATE TABLE signing_key (
                id \(d.text) NOT NULL PRIMARY KEY,
                created_at \(d.integer) NOT NULL,
                signs_from \(d.integer) NOT NULL,
                sealed_private_key \(d.bytes) NOT NULL
            )\(d.keyedTableOptions)
            """,
            """
            CREATE TABLE admin_key (
                digest \(d.bytes) NOT NULL PRIMARY KEY CHECK (length(digest) = 33),
                id \(d.text) NOT NULL UNIQUE,
                label \(d.text) NOT NULL,
                project \(d.text),
                permissions \(d.text) NOT NULL CHECK (permissions <> ''),
                created_at \(d.integer) NOT NULL,
                expires_at \(d.integer),
                revoked_at \(d.integer)
            )\(d.keyedTableOptions)
            """,
            // Other processes look for revisions above the newest that they know, so no two changes
            // share one.
            """
            CREATE TABLE project_settings (
                project \(d.text) NOT NULL PRIMARY KEY,
                settings \(d.text) NOT NULL,
                revision \(d.integer) NOT NULL UNIQUE CHECK (revision > 0),
                changed_at \(d.integer) NOT NULL
            )\(d.keyedTableOptions)
            """,
            // The secrets that values of this database were made with, by the number that these
            // values begin with. The copy tells a damaged fingerprint from that of another secret.
            """
            CREATE TABLE secret (
                number \(d.integer) NOT NULL PRIMARY KEY CHECK (number BETWEEN 1 AND 255),
                fingerprint \(d.bytes) NOT NULL UNIQUE CHECK (length(fingerprint) = 33),
                fingerprint_copy \(d.bytes) NOT NULL CHECK (fingerprint_copy = fingerprint),
                state \(d.text) NOT NULL CHECK (state IN ('current', 'previous', 'resealed', 'replaced')),
                sealed_keys \(d.bytes) CHECK ((sealed_keys IS NOT NULL) = (state = 'resealed'))
            )\(d.tableOptions)
            """,
            "CREATE UNIQUE INDEX secret_in_use ON secret (state) WHERE state IN ('current', 'previous')",
            // The high-water mark of the clock, in one row.
            """
            CREATE TABLE clock (
                id \(d.integer) NOT NULL PRIMARY KEY CHECK (id = 1),
                mark \(d.integer) NOT NULL,
                acceptances \(d.integer) NOT NULL CHECK (acceptances >= 0)
            )\(d.tableOptions)
            """,
            """
            CREATE TABLE audit (
                position \(d.identityColumn),
                at \(d.integer) NOT NULL,
                actor \(d.text) NOT NULL,
                method \(d.text) NOT NULL,
                project \(d.text),
                subject \(d.text),
                peer \(d.text),
                request \(d.text),
                outcome \(d.text)
            )\(d.tableOptions)
            """,
            "CREATE INDEX audit_by_time ON audit (at)",
        ]
    }
}

extension SQLDialect {
    /// The condition of the index of decoys.
    fileprivate var decoys: String { allowsMutableIndexPredicates ? "account IS NULL AND ended_at = created_at" : "account IS NULL" }
}
