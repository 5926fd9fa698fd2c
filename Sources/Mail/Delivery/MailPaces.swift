internal import Accounts

/// The pace of each project: a minute's mails at once, which are regained evenly. Moments are the
/// time since a fixed moment.
///
/// The counts are in memory: a restart resets them, and each process has its own part of the pace.
struct MailPaces: Sendable {
    /// The pace of a project in one process.
    struct Pace: Sendable {
        /// The most mails at once.
        let count: Int
        /// The time in which one mail is regained.
        let interval: Duration

        /// - Parameter nodes: the number of processes that share the pace.
        init(perMinute count: Int, nodes: Int = 1) {
            self.count = max(1, count / nodes)
            interval = .seconds(60) * nodes / count
        }
    }

    /// The moment at which a project has regained all mails.
    private var wholeAt: [ProjectID: Duration] = [:]

    /// The number of mails that a project may send now.
    func allowance(of project: ProjectID, at pace: Pace, now: Duration) -> Int {
        guard let whole = wholeAt[project], whole > now else { return pace.count }
        let missing = (whole - now) / pace.interval
        return missing < Double(pace.count) ? pace.count - Int(missing.rounded(.up)) : 0
    }

    mutating func count(_ project: ProjectID, at pace: Pace, now: Duration) {
        wholeAt[project] = max(wholeAt[project] ?? now, now) + pace.interval
    }
}
