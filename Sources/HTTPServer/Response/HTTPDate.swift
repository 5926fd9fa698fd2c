/// A moment as the Date field spells it: `Sun, 06 Nov 1994 08:49:37 GMT`. Source: RFC 9110 §5.6.7.
enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// `seconds` since 1970, not negative.
    static func text(_ seconds: Int) -> String {
        let (days, second) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = date(days)
        let time = "\(pad(second / 3_600)):\(pad(second / 60 % 60)):\(pad(second % 60))"
        return "\(weekdays[days % 7]), \(pad(day)) \(months[month - 1]) \(year) \(time) GMT"
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The Gregorian date, counted in years that begin in March, so that a leap day is the last of its year.
    private static func date(_ daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + 719_468
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
