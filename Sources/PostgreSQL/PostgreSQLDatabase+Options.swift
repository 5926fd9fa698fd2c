extension PostgreSQLDatabase {
    /// How the server is reached.
    package struct Options: Sendable, Hashable {
        /// A URL or a list of `key=value` pairs, as libpq reads them: several hosts, TLS modes,
        /// password and service files are libpq's own.
        package var url: String
        /// The password, if the URL has none.
        package var password: String?
        /// How operators know the database, without a password; nil: by its hosts and its name.
        package var name: String?
        /// The URL for the connection that waits for announcements, which a pooler cannot pass on;
        /// nil: `url`.
        package var directURL: String?
        /// The most connections of this process for transactions, each with a thread of its own.
        package var maxConnections = 8
        /// Whether statements are prepared once for each connection. A pooler that gives each
        /// transaction another connection, as PgBouncer's transaction mode does, needs false.
        package var usesNamedStatements = true
        package var deadlines = Deadlines()
        package var replica: Replica?
        /// Whether a server that cannot be written to is passed over.
        var requiresWritable = true

        package init(url: String) { self.url = url }

        /// Servers that follow the one of `url`, for reads that need not be the latest.
        package struct Replica: Sendable, Hashable {
            /// As `Options.url`; a password is the same as there.
            package var url: String
            /// The most time that its answers may be behind the primary.
            package var maxStaleness: Duration

            package init(url: String, maxStaleness: Duration) { (self.url, self.maxStaleness) = (url, maxStaleness) }
        }

        /// The longest waits. A user whose request meets a server that is down gets an answer in
        /// about two seconds (G2).
        package struct Deadlines: Sendable, Hashable {
            /// For each host of the URL, unless that says `connect_timeout`. In whole seconds.
            package var connect = Duration.seconds(2)
            /// For the server to run one statement.
            package var statement = Duration.seconds(5)
            /// For a lock that another transaction holds.
            package var lock = Duration.seconds(4)
            /// For the next statement of a transaction, after which the server ends it.
            package var idleTransaction = Duration.seconds(5)
            /// For a response, after which the connection counts as lost (G8).
            package var response = Duration.seconds(7)
            /// For a connection of the pool.
            package var waiting = Duration.seconds(2)
            /// For a server that cannot be reached, from the first failure on.
            package var outage = Duration.milliseconds(1500)
            /// For the answer whether a transaction was committed, if the connection was lost
            /// meanwhile.
            package var outcome = Duration.seconds(8)
            /// For a transaction that conflicts with others again and again.
            package var conflicts = Duration.seconds(5)

            package init() {}
        }
    }
}

extension Duration {
    /// Whole milliseconds, as PostgreSQL's settings and `poll` take them.
    var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}
