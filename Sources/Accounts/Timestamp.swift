/// A moment on the server's wall clock, in whole milliseconds since 1970, as the store and the wire keep it.
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

/// The clock, as an argument.
package typealias Now = @Sendable () -> Timestamp

/// The system's random generator, as an argument: asked for a number of bytes.
package typealias RandomBytes = @Sendable (_ count: Int) -> [UInt8]
