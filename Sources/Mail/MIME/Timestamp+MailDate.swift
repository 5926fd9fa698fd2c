import Base
import Foundation

extension Timestamp {
    /// The time in UTC, such as `Sun, 22 Nov 2026 20:49:00 +0000`. Source: RFC 5322, 3.3.
    var mailDate: String {
        let parts = Self.calendar.dateComponents(in: .gmt, from: Date(self))
        func digits(_ number: Int?) -> String { String("0\(number ?? 0)".suffix(2)) }
        return """
            \(Self.days[(parts.weekday ?? 1) - 1]), \(digits(parts.day)) \(Self.months[(parts.month ?? 1) - 1]) \(parts.year ?? 0) \
            \(digits(parts.hour)):\(digits(parts.minute)):\(digits(parts.second)) +0000
            """
    }

    private static let calendar = Calendar(identifier: .gregorian)
    private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
