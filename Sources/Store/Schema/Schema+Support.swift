extension Migration {
    /// The lists that people see who help users.
    static func support(in d: SQLDialect) -> [String] {
        [
            "CREATE INDEX account_by_time ON account (project, created_at, id)",
            "CREATE INDEX suppression_by_time ON mail_suppression (project, at)",
            "CREATE INDEX parked_mail ON mail (project, id) WHERE ending = 'parked'",
        ]
    }
}
