internal import EmailActions

/// How often something may be tried: `count` times at once, and then again as the span goes by.
package struct Allowance: Sendable, Hashable {
    /// From 1 to 1,000,000.
    package let count: Int
    /// From a second to 30 days.
    package let span: Duration

    package static let counts = 1...1_000_000
    package static let spans = Duration.seconds(1)...(.days(30))

    /// What lies beyond the bounds becomes them.
    package init(_ count: Int, per span: Duration) {
        self.count = min(max(count, Self.counts.lowerBound), Self.counts.upperBound)
        self.span = min(max(span, Self.spans.lowerBound), Self.spans.upperBound)
    }
}
