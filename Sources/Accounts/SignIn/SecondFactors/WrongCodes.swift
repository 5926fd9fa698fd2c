public import Base

/// The wrong codes of an account's second factors, or of a phone number, in a row, and the pause
/// that they cost.
///
/// Four wrong codes cost nothing; each further one doubles the pause, from half a minute to six
/// hours. Codes are not looked at during the pause, so guessing has to stop. In a year of constant
/// guessing, fewer than 1,500 of the million codes can be tried. At each moment, three codes are
/// right for an app, and one for a text message.
///
/// Guesses from strange networks do not lock the user out at home, because networks that the user
/// has signed in from have a separate count.
public struct WrongCodes: Sendable, Hashable {
    public let count: Int
    /// The moment from which on the next code is looked at.
    public let nextAt: Timestamp

    public init(count: Int, nextAt: Timestamp) {
        self.count = count
        self.nextAt = nextAt
    }

    /// The row in which wrong codes are counted.
    public struct Counter: Sendable, Hashable {
        public enum Subject: Sendable, Hashable {
            case account(AccountID, ProjectID)
            case number(PhoneNumber, ProjectID)
        }

        public let subject: Subject
        public let fromKnownNetwork: Bool

        public init(_ subject: Subject, fromKnownNetwork: Bool) {
            self.subject = subject
            self.fromKnownNetwork = fromKnownNetwork
        }
    }

    /// The count after another wrong code.
    static func next(after known: WrongCodes?, at now: Timestamp) -> WrongCodes {
        let count = min((known?.count ?? 0) + 1, 1_000)
        return WrongCodes(count: count, nextAt: now + pause(after: count))
    }

    /// The pause after so many wrong codes in a row.
    static func pause(after count: Int) -> Duration {
        guard count >= free else { return .zero }
        return min(shortest * (1 << min(count - free, 20)), longestPause)
    }

    private static let free = 5
    private static let shortest = Duration.seconds(30)
    public static let longestPause = Duration.seconds(6 * 3600)
}

extension Records {
    /// Refuses `tooSoon` during a pause.
    /// - Returns: the recorded wrong codes; nil for none.
    @discardableResult
    func requireNoPause(_ counter: WrongCodes.Counter, at moment: Timestamp) throws(ActionError) -> WrongCodes? {
        let wrong = try wrongCodes(counter)
        if let wrong, wrong.nextAt > moment { throw .tooSoon(retryAfter: wrong.nextAt - moment) }
        return wrong
    }

    /// Judges a code, and counts it if it is wrong; a right one ends the count. A pause refuses
    /// `tooSoon` without judging.
    ///
    /// The caller must not throw in this transaction because the code is wrong: the count would be
    /// forgotten.
    func counting(
        _ counter: WrongCodes.Counter, at moment: Timestamp, _ isRight: () throws(ActionError) -> Bool
    ) throws(ActionError) -> Bool {
        let wrong = try requireNoPause(counter, at: moment)
        guard try isRight() else {
            try set(.next(after: wrong, at: moment), for: counter)
            return false
        }
        if wrong != nil { try set(nil, for: counter) }
        return true
    }
}
