extension Migration {
    /// Facts that a provider stated when it was linked, and facts for the pages of links. The
    /// former tell another identity with the same address from the same user in another app.
    static func identities(in d: SQLDialect) -> [String] {
        [
            // The audience of the token that linked the provider; null if there was none.
            "ALTER TABLE linked_provider ADD COLUMN audience \(d.text)",
            // Whether the provider had verified the address that it reported.
            """
            ALTER TABLE linked_provider ADD COLUMN verified_email \(d.integer) NOT NULL DEFAULT 0
            CHECK (verified_email IN (0, 1))
            """,
            // As `Records.insert(stated:)` decides about links that are not by a token.
            """
            UPDATE linked_provider SET verified_email = 1
            WHERE provider IN ('google.com', 'apple.com') AND EXISTS (
                SELECT 1 FROM account WHERE account.project = linked_provider.project AND account.id = linked_provider.account
                AND account.email_verified = 1 AND account.email = lower(linked_provider.email))
            """,
            // Wrong confirmation numbers end a link, and let one that undoes a change wait.
            "ALTER TABLE code ADD COLUMN paused_until \(d.integer)",
            // A code that an admin's program got, or that a page leads to, is in no inbox.
            "ALTER TABLE code ADD COLUMN mailed \(d.integer) NOT NULL DEFAULT 1 CHECK (mailed IN (0, 1))",
            // The device that asked for a code, in the words of the mail.
            "ALTER TABLE code ADD COLUMN browser \(d.text)",
            "ALTER TABLE code ADD COLUMN system \(d.text)",
            // The live links of clients are known without counting them.
            "CREATE INDEX disabled_short_link ON short_link (project, client_number, disabled_at) WHERE disabled_at IS NOT NULL",
        ]
    }
}
