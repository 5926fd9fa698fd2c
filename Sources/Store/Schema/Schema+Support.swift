extension Migration {
    /// The lists that people see who help users.
    static func support(in d: SQLDialect) -> [String] {
        [
            "CREATE INDEX account_by_time ON account (project, created_at, id)",
            "CREATE INDEX suppression_by_time ON mail_suppression (project, at)",
            "CREATE INDEX parked_mail ON mail (project, id) WHERE ending = 'parked'",
        ]
    }

    /// The overview that they see.
    static func overview(in d: SQLDialect) -> [String] {
        [
            // Has all that is counted, so that no mail is read.
            "CREATE INDEX ended_mail_of_project ON mail (project, ended_at, kind, ending, relay) WHERE ending IS NOT NULL",
            "CREATE INDEX parked_event_of_project ON account_event (project, position) WHERE parked_at IS NOT NULL",
            "CREATE INDEX parked_event_of_endpoint ON account_event (endpoint, position) WHERE parked_at IS NOT NULL",
        ]
    }
}
