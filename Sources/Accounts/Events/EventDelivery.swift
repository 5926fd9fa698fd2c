public import Base

/// An event that waits for an endpoint, or was given up.
public struct EventDelivery: Sendable, Equatable {
    /// The place in the order in which events were written.
    public let position: Int
    public let event: AccountEvent
    /// The URL of the endpoint.
    public let endpoint: String
    /// The account whose events are sent one after the other: that of the event, or the one that it
    /// was merged into.
    public let queue: String
    /// The number of attempts that failed.
    public let attempts: Int
    public let dueAt: Timestamp
    /// When it was given up; nil while it waits.
    public let parkedAt: Timestamp?
    /// Why the last attempt failed.
    public let cause: String?

    public init(
        position: Int, event: AccountEvent, endpoint: String, queue: String, attempts: Int, dueAt: Timestamp, parkedAt: Timestamp?,
        cause: String?
    ) {
        (self.position, self.event, self.endpoint, self.queue) = (position, event, endpoint, queue)
        (self.attempts, self.dueAt, self.parkedAt, self.cause) = (attempts, dueAt, parkedAt, cause)
    }

    /// How long an event is tried, and how often at least, as after days without a server.
    public static let persistence = (span: Duration.days(3), attempts: 8)
    /// How long events that were given up, or whose endpoint is not configured any more, are kept.
    public static let retention = Duration.days(30)

    /// The moment of the next attempt after one that failed now: after five seconds, then three
    /// times as long each time, up to two hours. Nil if there is none.
    public func nextAttempt(after now: Timestamp) -> Timestamp? {
        guard attempts + 1 < Self.persistence.attempts || now - event.at < Self.persistence.span else { return nil }
        return now + min(.seconds(5) * (0..<min(attempts, 7)).reduce(1) { product, _ in product * 3 }, .seconds(7200))
    }
}
