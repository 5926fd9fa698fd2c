import Foundation

extension Date {
    /// To the second, in UTC: `2026-11-21T15:34:12Z`. Source: RFC 3339.
    var iso: String {
        var (seconds, parts) = (time_t(timeIntervalSince1970.rounded(.down)), tm())
        guard gmtime_r(&seconds, &parts) != nil, (100..<8_000).contains(parts.tm_year) else { return formatted(.iso8601) }
        return String(unsafeUninitializedCapacity: 20) { text in
            _ = text.initialize(from: "0000-00-00T00:00:00Z".utf8)
            func write(_ number: Int32, endingBefore end: Int) {
                var (rest, place) = (number, end)
                while rest > 0 {
                    place -= 1
                    text[place] += UInt8(rest % 10)
                    rest /= 10
                }
            }
            write(parts.tm_year + 1900, endingBefore: 4)
            write(parts.tm_mon + 1, endingBefore: 7)
            write(parts.tm_mday, endingBefore: 10)
            write(parts.tm_hour, endingBefore: 13)
            write(parts.tm_min, endingBefore: 16)
            write(parts.tm_sec, endingBefore: 19)
            return 20
        }
    }
}
