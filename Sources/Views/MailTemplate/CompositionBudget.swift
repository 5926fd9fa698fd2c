import Foundation

/// The bytes and the time that one mail may take, so that the templates of one project stop no mail
/// of another.
struct CompositionBudget {
    /// Gmail shows 102 KB of HTML, and the text comes in addition.
    static let maxBytes = 256 << 10
    /// In time of the processor, so that a machine that is busy or paused spends nothing. A mail
    /// takes about a millisecond.
    static let maxTime = Duration.seconds(2)

    private var bytes: Int
    private let end: Duration

    init(bytes: Int = maxBytes, time: Duration = maxTime) { (self.bytes, end) = (bytes, Self.threadTime + time) }

    /// Spends the bytes of a text. Throws if too many or too much time was spent.
    mutating func spend(_ text: String) throws(CompositionError) {
        bytes -= text.utf8.count
        guard bytes >= 0 else { throw .tooLarge }
        guard Self.threadTime <= end else { throw .tooSlow }
    }

    /// The time for which this thread has run. A mail is composed on one thread.
    static var threadTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// The reason why a mail cannot be composed.
public enum CompositionError: Error, Sendable, Hashable, CustomStringConvertible {
    case tooLarge, tooSlow

    public var description: String {
        switch self {
        case .tooLarge: "the mail cannot be composed: its template makes it larger than 256 KB"
        case .tooSlow: "the mail cannot be composed: its template takes more than two seconds"
        }
    }
}
