import Foundation

extension Date {
    /// To the second, in UTC: `2026-11-21T15:34:12Z`. Source: RFC 3339.
    var iso: String {
        var (seconds, parts) = (time_t(timeIntervalSince1970.rounded(.down)), tm())
        guard gmtime_r(&seconds, &parts) != nil, (100..<8_000).contains(parts.tm_year) else { return formatted(.iso8601) }
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(padded(parts.tm_mon + 1))-\(padded(parts.tm_mday))"
            + "T\(padded(parts.tm_hour)):\(padded(parts.tm_min)):\(padded(parts.tm_sec))Z"
    }
}
