extension Duration {
    public static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    public static func hours(_ count: Int) -> Duration { .minutes(count * 60) }
    public static func days(_ count: Int) -> Duration { .hours(count * 24) }

    /// The whole milliseconds of this span, rounded towards zero.
    public var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }

    /// The duration in whole nanoseconds, rounded towards zero; `Int64.max` above about 292 years.
    public var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (scaled, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : scaled.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}
