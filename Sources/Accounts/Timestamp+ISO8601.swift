private import Foundation

extension Timestamp {
    /// The moment in UTC with milliseconds, such as `2026-01-31T12:00:00.000Z`.
    package var iso8601: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    /// Reads an ISO 8601 date and time, with or without fractions of a second.
    package init?(iso8601 text: String) {
        let styles = [Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle()]
        guard let date = styles.lazy.compactMap({ try? $0.parse(text) }).first,
            let milliseconds = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded())
        else { return nil }
        self.init(milliseconds: milliseconds)
    }
}
