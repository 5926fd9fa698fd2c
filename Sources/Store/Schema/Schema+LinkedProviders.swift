extension Migration {
    /// Facts of a provider for apps, beside those that decide whose the account is.
    static func linkedProviders(in d: SQLDialect) -> [String] {
        [
            // The address that the provider reports now, if `email` is an earlier one.
            "ALTER TABLE linked_provider ADD COLUMN present_email \(d.text)",
            """
            ALTER TABLE linked_provider ADD COLUMN present_verified \(d.integer) NOT NULL DEFAULT 0
            CHECK (present_verified IN (0, 1))
            """,
            "ALTER TABLE linked_provider ADD COLUMN screen_name \(d.text)",
            "CREATE INDEX linked_provider_by_email ON linked_provider (email) WHERE verified_email = 1",
            "CREATE INDEX linked_provider_by_present_email ON linked_provider (present_email) WHERE present_verified = 1",
        ]
    }
}
