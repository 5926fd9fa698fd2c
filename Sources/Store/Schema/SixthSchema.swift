extension Migration {
    /// Whether a code is the only one of its purpose says more than whether there is a newer one: whoever spends it need not look for others
    /// to withdraw (decision 19).
    static func sixthSchema() -> [String] {
        [
            "ALTER TABLE code RENAME COLUMN has_newer TO has_siblings",
            // Until now only the older of two was told.
            "UPDATE code SET has_siblings = 1 WHERE ending IS NULL",
        ]
    }
}
