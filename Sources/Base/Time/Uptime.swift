/// A moment of a clock that cannot be set, for intervals and deadlines. Each process has its own
/// clock, so a moment is never stored.
///
/// A type whose tests need a clock takes a function that returns the current moment.
public struct Uptime: Sendable, Hashable, Comparable {
    /// The time since the process first read this clock.
    public let sinceZero: Duration

    public init(_ sinceZero: Duration) { self.sinceZero = sinceZero }

    public static let zero = Uptime(.zero)
    public static var now: Uptime { Uptime(start.duration(to: .now)) }

    private static let start = ContinuousClock.now

    public static func < (a: Self, b: Self) -> Bool { a.sinceZero < b.sinceZero }
    public static func + (moment: Self, span: Duration) -> Self { Uptime(moment.sinceZero + span) }
    public static func - (moment: Self, span: Duration) -> Self { Uptime(moment.sinceZero - span) }
    public static func - (a: Self, b: Self) -> Duration { a.sinceZero - b.sinceZero }
    public static func += (moment: inout Self, span: Duration) { moment = moment + span }
}
