extension PostgreSQLDatabase {
    /// How the server is reached.
    public struct Options: Sendable, Hashable {
        /// A URL or a list of `key=value` pairs, as libpq reads them: several hosts, TLS modes,
        /// password and service files are libpq's own.
        public var url: String
        /// The password, if the URL has none.
        public var password: String?
        /// How operators know the database, without a password; nil: by its hosts and its name.
        public var name: String?
        /// The URL for the connection that waits for announcements, which a pooler cannot pass on;
        /// nil: `url`.
        public var directURL: String?
        /// The most connections of this process for transactions, each with its own thread. There
        /// are half as many for reads, and as many on a replica.
        public var maxConnections = 8
        /// Whether statements are prepared once for each connection. A pooler that gives each
        /// transaction another connection, as PgBouncer's transaction mode does, needs false.
        public var usesNamedStatements = true
        public var deadlines = Deadlines()
        public var replica: Replica?
        /// Whether a server that cannot be written to is passed over.
        var requiresWritable = true

        public init(url: String) { self.url = url }

        /// Servers that follow the one of `url`, for reads that need not be the latest.
        public struct Replica: Sendable, Hashable {
            /// As `Options.url`; a password is the same as there.
            public var url: String
            /// The most time that its answers may be behind the primary.
            public var maxStaleness: Duration

            public init(url: String, maxStaleness: Duration) { (self.url, self.maxStaleness) = (url, maxStaleness) }
        }

        /// The longest waits. A user whose request meets a server that is down gets an answer in
        /// about two seconds (G2).
        public struct Deadlines: Sendable, Hashable {
            /// For each host of the URL, unless that says `connect_timeout`. In whole seconds.
            public var connect = Duration.seconds(2)
            /// For the server to run one statement.
            public var statement = Duration.seconds(5)
            /// For a lock that another transaction holds.
            public var lock = Duration.seconds(4)
            /// For the next statement of a transaction, after which the server ends it.
            public var idleTransaction = Duration.seconds(5)
            /// For a response, after which the connection counts as lost (G8).
            public var response = Duration.seconds(7)
            /// For a connection of the pool.
            public var waiting = Duration.seconds(2)
            /// For a server that cannot be reached, from the first failure on.
            public var outage = Duration.milliseconds(1500)
            /// For the answer whether a transaction was committed, if the connection was lost
            /// during the commit.
            public var outcome = Duration.seconds(8)
            /// For a transaction that conflicts with others again and again.
            public var conflicts = Duration.seconds(5)

            public init() {}
        }
    }
}

extension Duration {
    /// Whole milliseconds, as PostgreSQL's settings and `poll` take them.
    var milliseconds: Int { Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000) }
}
