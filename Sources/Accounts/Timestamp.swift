/// A moment of wall-clock time in whole milliseconds since 1970, as the store and the wire keep it.
package struct Timestamp: Sendable, Hashable, Comparable, Codable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }
    package init(seconds: Int64) { milliseconds = seconds * 1000 }

    /// Whole seconds, rounded down: the unit of JWT claims and of `validSince`.
    package var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000 }

    package static func < (a: Self, b: Self) -> Bool { a.milliseconds < b.milliseconds }

    package static func + (moment: Self, span: Duration) -> Self {
        Timestamp(milliseconds: moment.milliseconds + span.milliseconds)
    }

    package static func - (a: Self, b: Self) -> Duration { .milliseconds(a.milliseconds - b.milliseconds) }
}

extension Duration {
    /// The whole milliseconds of this span, rounded towards zero.
    package var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}

/// A function that returns the current time, passed as an argument so that tests can set it.
package typealias Now = @Sendable () -> Timestamp

/// A function that returns random bytes, passed as an argument so that tests can choose them.
package typealias RandomBytes = @Sendable (_ count: Int) -> [UInt8]
