extension Migration {
    /// What a provider said when it was linked, by which another identity with the same address can
    /// be told from the same user in another app.
    static func identities(in d: SQLDialect) -> [String] {
        [
            // The audience of the token by which the provider was linked; null if it was imported.
            "ALTER TABLE linked_provider ADD COLUMN audience \(d.text)",
            // Whether the provider had verified the address that it reported.
            """
            ALTER TABLE linked_provider ADD COLUMN verified_email \(d.integer) NOT NULL DEFAULT 0
            CHECK (verified_email IN (0, 1))
            """,
        ]
    }
}
