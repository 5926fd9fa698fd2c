/// A moment of wall-clock time in whole milliseconds since 1970, as the store and the wire keep it.
public struct Timestamp: Sendable, Hashable, Comparable, Codable {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }
    public init(seconds: Int64) { milliseconds = seconds * 1000 }

    /// Whole seconds, rounded down: the unit of JWT claims and of `validSince`.
    public var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000 }

    public static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    public static func + (moment: Self, span: Duration) -> Self {
        Timestamp(milliseconds: moment.milliseconds + span.milliseconds)
    }

    public static func - (a: Self, b: Self) -> Duration { .milliseconds(a.milliseconds - b.milliseconds) }
}

/// A function that returns the current time, passed as an argument so that tests can set it.
public typealias Now = @Sendable () -> Timestamp

/// A function that returns random bytes, passed as an argument so that tests can choose them.
public typealias RandomBytes = @Sendable (_ count: Int) -> [UInt8]
