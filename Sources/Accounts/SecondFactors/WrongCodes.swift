/// The wrong codes of an account's second factors in a row, and the pause that they cost.
///
/// The user, or an attacker, has proved the first factor. Four wrong codes cost nothing; each
/// further one doubles the pause, from half a minute to six hours. A code is not looked at during
/// the pause, so guesses cannot go on meanwhile. In a year of constant guessing, less than 1,500 of
/// the million codes can be tried, three of which are right at each moment.
///
/// Guesses from strange networks do not lock the user out at home, because networks from which the
/// user signed in before have a count of their own.
package struct WrongCodes: Sendable, Hashable {
    package let count: Int
    /// The moment from which on the next code is looked at.
    package let nextAt: Timestamp

    package init(count: Int, nextAt: Timestamp) {
        self.count = count
        self.nextAt = nextAt
    }

    /// The count after another wrong code.
    static func next(after known: WrongCodes?, at now: Timestamp) -> WrongCodes {
        let count = min((known?.count ?? 0) + 1, 1_000)
        return WrongCodes(count: count, nextAt: now + pause(after: count))
    }

    /// The pause after so many wrong codes in a row.
    static func pause(after count: Int) -> Duration {
        guard count >= free else { return .zero }
        return min(shortest * (1 << min(count - free, 20)), longest)
    }

    private static let free = 5
    private static let shortest = Duration.seconds(30)
    private static let longest = Duration.seconds(6 * 3600)
}
