public import Foundation

/// A time that a page shows by the clock and by its distance from now.
public enum RelativeTime: Sendable, Hashable {
    /// A time before now, such as *5 minutes ago*.
    case past(Date)
    /// A time after now, such as *for 5 minutes*.
    case future(Date)
    /// A time as a language writes it.
    case formatted(Formatted)

    public struct Formatted: Sendable, Hashable {
        var date, iso: String
        var distance: Distance

        var value: TemplateValue { .time(date, iso: iso) }

        /// The arguments of phrases about a time.
        func arguments(in language: Language) -> PhraseArguments {
            [.duration: language.value(of: distance), .time: value]
        }
    }

    /// The distance between two times in one unit.
    struct Distance: Sendable, Hashable {
        enum Unit: Int, Sendable, CaseIterable { case days = 1440, hours = 60, minutes = 1 }

        let unit: Unit
        let category: PluralRule.Category
        /// In the digits of the language.
        var count: String
    }

    /// - Parameter zone: the time zone of the clock.
    func formatted(in language: Language, at now: Date, _ zone: NamedTimeZone) -> Formatted {
        switch self {
        case .past(let date): language.formatted(date, zone, at: language.distance(from: date, to: now))
        case .future(let date): language.formatted(date, zone, at: language.distance(from: now, to: date))
        case .formatted(let formatted): formatted
        }
    }
}

extension Language {
    fileprivate func formatted(_ date: Date, _ zone: NamedTimeZone, at distance: RelativeTime.Distance) -> RelativeTime.Formatted {
        RelativeTime.Formatted(date: self.date(date, in: zone), iso: date.iso, distance: distance)
    }

    /// The distance in the largest unit that fits at least twice, or exactly, rounded to the
    /// nearest; at least one minute.
    func distance(from start: Date, to end: Date) -> RelativeTime.Distance {
        let minutes = Int(max(1, min((end.timeIntervalSince(start) / 60).rounded(), 1e9)))
        let unit = RelativeTime.Distance.Unit.allCases.first { minutes % $0.rawValue == 0 || minutes >= 2 * $0.rawValue } ?? .minutes
        let count = (minutes + unit.rawValue / 2) / unit.rawValue
        return RelativeTime.Distance(unit: unit, category: plural.category(of: count), count: number(count))
    }

    func value(of distance: RelativeTime.Distance) -> TemplateValue {
        let plural =
            switch distance.unit {
            case .days: phrases.durations.days
            case .hours: phrases.durations.hours
            case .minutes: phrases.durations.minutes
            }
        return .phrase(plural[distance.category], [.count: .text(distance.count)])
    }
}

extension Date {
    /// To the second, in UTC: `2026-11-21T15:34:12Z`. Source: RFC 3339.
    var iso: String {
        var (seconds, parts) = (time_t(timeIntervalSince1970.rounded(.down)), tm())
        guard gmtime_r(&seconds, &parts) != nil, (100..<8_000).contains(parts.tm_year) else { return formatted(.iso8601) }
        return String(unsafeUninitializedCapacity: 20) { text in
            _ = text.initialize(from: "0000-00-00T00:00:00Z".utf8)
            func write(_ number: Int32, before end: Int) {
                var (rest, index) = (number, end)
                while rest > 0 {
                    index -= 1
                    text[index] += UInt8(rest % 10)
                    rest /= 10
                }
            }
            write(parts.tm_year + 1900, before: 4)
            write(parts.tm_mon + 1, before: 7)
            write(parts.tm_mday, before: 10)
            write(parts.tm_hour, before: 13)
            write(parts.tm_min, before: 16)
            write(parts.tm_sec, before: 19)
            return 20
        }
    }
}
