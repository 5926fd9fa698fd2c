extension Duration {
    private static let units: KeyValuePairs<String, Int64> = ["d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1000, "ms": 1]

    /// Parses a whole number with a unit: `500ms`, `90s`, `15m`, `1h` or `3d`.
    public init?(configured text: String) {
        let digits = text.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard let number = Int64(Substring(digits)), let unit = Self.units.first(where: { $0.key == text.dropFirst(digits.count) })?.value,
            case let (milliseconds, overflow) = number.multipliedReportingOverflow(by: unit), !overflow
        else { return nil }
        self = .milliseconds(milliseconds)
    }

    /// The duration in the largest unit that represents it exactly.
    public var configured: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let unit = Self.units.first { milliseconds.isMultiple(of: $0.value) && milliseconds >= $0.value }
        return unit.map { "\(milliseconds / $0.value)\($0.key)" } ?? "0s"
    }
}
