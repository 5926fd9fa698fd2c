public import Accounts
public import Base

/// The clock of the server of a database, read by this process without asking each time. Nodes that
/// use it agree about the time, whatever their own clocks show.
///
/// The server is asked now and then. Its time is taken as that of the middle between question and
/// answer, so it is known to half of that span; in between, a clock that cannot be set goes on.
public final class DatabaseClock: Sendable {
    private struct Sample {
        /// The server's time at uptime zero.
        let zero: Duration
        /// The most that `zero` may be wrong.
        let error: Duration
        let takenAt: Duration

        /// The possible error at a later moment: two clocks part by a second in an hour and a half
        /// at most.
        func error(at now: Duration) -> Duration { error + (now - takenAt) / 5000 }

        /// Whether this sample tells more than an earlier one, or shows that the server has another
        /// clock since.
        func replaces(_ earlier: Sample) -> Bool {
            let known = earlier.error(at: takenAt)
            return error <= known || max(zero - earlier.zero, earlier.zero - zero) > error + known
        }
    }

    private let store: Store
    private let uptime: @Sendable () -> Uptime
    private let sample: Locked<Sample>

    /// Asks the server; nil if the database has no clock but that of this machine.
    public init?(of store: Store, uptime: @escaping @Sendable () -> Uptime = { .now }) async throws(ActionError) {
        guard store.database.dialect.hasServerClock else { return nil }
        (self.store, self.uptime) = (store, uptime)
        sample = Locked(try await Self.sample(store, uptime))
    }

    public var now: Now {
        { [self] in Timestamp(milliseconds: (sample.value.zero + uptime().sinceZero).milliseconds) }
    }

    public func refresh() async throws(ActionError) {
        let new = try await Self.sample(store, uptime)
        sample.update { if new.replaces($0) { $0 = new } }
    }

    private static func sample(_ store: Store, _ uptime: @escaping @Sendable () -> Uptime) async throws(ActionError) -> Sample {
        try await store.read { [query = "SELECT \(store.database.dialect.now)"] records throws(ActionError) in
            // The first answer comes late, because the server has to plan the query. And a read of
            // one query is run again when the answer is there, too late to look at the clock.
            _ = try records.column(query) as [Timestamp]
            let asked = uptime().sinceZero
            let times: [Timestamp] = try records.column(query)
            let answered = uptime().sinceZero
            guard let time = times.first else { throw ActionError(.failed(cause: "the database has not told the time")) }
            let middle = (asked + answered) / 2
            return Sample(zero: .milliseconds(time.milliseconds) - middle, error: (answered - asked) / 2, takenAt: answered)
        }
    }
}
