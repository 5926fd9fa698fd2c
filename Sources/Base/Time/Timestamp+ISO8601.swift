public import Foundation

extension Timestamp {
    public init(_ date: Date) { self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1000).rounded(.down))) }

    /// The moment in UTC with milliseconds, such as `2026-01-31T12:00:00.000Z`.
    public var iso8601: String {
        var (seconds, parts) = (time_t(seconds), tm())
        guard gmtime_r(&seconds, &parts) != nil else { return "" }
        func digits(_ number: some BinaryInteger, _ width: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
        }
        let date = "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1))-\(digits(parts.tm_mday))"
        let time = "\(digits(parts.tm_hour)):\(digits(parts.tm_min)):\(digits(parts.tm_sec))"
        return "\(date)T\(time).\(digits(milliseconds - self.seconds * 1000, 3))Z"
    }

    /// Reads an ISO 8601 date and time, with or without fractions of a second.
    public init?(iso8601 text: String) {
        let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
        guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first,
            let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded())
        else { return nil }
        self.init(milliseconds: milliseconds)
    }
}

extension Date {
    public init(_ timestamp: Timestamp) { self.init(timeIntervalSince1970: Double(timestamp.milliseconds) / 1000) }
}
