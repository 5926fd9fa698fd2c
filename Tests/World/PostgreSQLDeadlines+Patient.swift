package import PostgreSQL

extension PostgreSQLDatabase.Options.Deadlines {
    /// The deadlines of a test that may meet a busy machine; a test of one of them sets that one.
    /// A response that does not come is noticed as soon as usual.
    package static var patient: Self {
        var deadlines = Self()
        (deadlines.waiting, deadlines.conflicts, deadlines.outage) = (.patience, .patience, .patience)
        (deadlines.statement, deadlines.lock, deadlines.idleTransaction) = (.patience, .patience, .patience)
        return deadlines
    }
}

extension PostgreSQLDatabase.Options {
    /// The options of a test in which no server is lost, so that it waits for every response.
    package init(patientlyAt url: String) {
        self.init(url: url)
        deadlines = .patient
        deadlines.response = .patience
    }
}
