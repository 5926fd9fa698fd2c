/// The size of a rate limit: `count` events at once, which come back evenly over `span`.
public struct Allowance: Sendable, Hashable {
    /// From 1 to 1,000,000.
    public let count: Int
    /// From one second to 30 days; that of a share may be longer.
    public let span: Duration

    public static let counts = 1...1_000_000
    public static let spans = Duration.seconds(1)...(.days(30))

    /// Values outside the bounds are clamped.
    public init(_ count: Int, per span: Duration) {
        self.count = min(max(count, Self.counts.lowerBound), Self.counts.upperBound)
        self.span = min(max(span, Self.spans.lowerBound), Self.spans.upperBound)
    }

    /// The part that one of several nodes gives. Each node counts by itself. Together they give no
    /// more events at once, unless that is less than one for each, and no more over time.
    public func share(of nodes: Int) -> Allowance {
        let part = max(1, count / nodes)
        return Allowance(part, span: span * (part * nodes) / count)
    }

    private init(_ count: Int, span: Duration) { (self.count, self.span) = (count, span) }
}
