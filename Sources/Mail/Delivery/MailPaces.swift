internal import Accounts

/// The pace of each project: a minute's mails at once, which are regained evenly. Moments are the
/// time since a fixed moment.
///
/// The counts are in memory: a restart resets them, and each process has its own.
struct MailPaces: Sendable {
    /// The moment at which a project has regained all mails.
    private var wholeAt: [ProjectID: Duration] = [:]

    /// The number of mails that a project may send now.
    func allowance(of project: ProjectID, perMinute pace: Int, at now: Duration) -> Int {
        guard let whole = wholeAt[project], whole > now else { return pace }
        let missing = (whole - now) / .seconds(60) * Double(pace)
        return missing < Double(pace) ? pace - Int(missing.rounded(.up)) : 0
    }

    mutating func count(_ project: ProjectID, perMinute pace: Int, at now: Duration) {
        wholeAt[project] = max(wholeAt[project] ?? now, now) + .seconds(60) / pace
    }
}
