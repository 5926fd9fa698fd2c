import Foundation

/// A time zone of the IANA database, in which a project's pages and mails write dates.
public struct NamedTimeZone: Sendable, Hashable {
    public static let utc = NamedTimeZone(name: "UTC", timeZone: TimeZone(identifier: "Etc/UTC") ?? .gmt)

    /// The name as it was configured, such as `Europe/Berlin`.
    public let name: String
    let timeZone: TimeZone

    private init(name: String, timeZone: TimeZone) { (self.name, self.timeZone) = (name, timeZone) }

    /// Nil for a name that is not in the database. Foundation's abbreviations (`PST`) and offsets
    /// (`GMT+1`) are not names: an abbreviation is ambiguous, and an offset knows no summer time.
    public init?(_ name: String) {
        guard name != Self.utc.name else {
            self = .utc
            return
        }
        guard name.wholeMatch(of: #/[A-Z][A-Za-z_]*(?:\/[A-Z0-9][A-Za-z0-9_+\-]*){1,2}/#) != nil, let zone = TimeZone(identifier: name)
        else {
            return nil
        }
        self.init(name: name, timeZone: zone)
    }

    public static func == (a: NamedTimeZone, b: NamedTimeZone) -> Bool { a.name == b.name }
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// A minute in a time zone: the key that formatted dates are cached by.
struct ZonedMinute: Hashable {
    /// Since 2001, in UTC.
    let minutes: Int
    let zone: NamedTimeZone

    init(_ date: Date, in zone: NamedTimeZone) {
        minutes = Int((date.timeIntervalSinceReferenceDate / 60).rounded(.down))
        self.zone = zone
    }

    /// Hashes only the minute, because most installations have one time zone.
    func hash(into hasher: inout Hasher) { hasher.combine(minutes) }
}

extension NamedTimeZone {
    /// Whether two moments are on one day.
    func isSameDay(_ a: Date, _ b: Date) -> Bool {
        func day(_ date: Date) -> Double {
            ((date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))) / 86_400).rounded(.down)
        }
        return day(a) == day(b)
    }

    /// A date, a time and the name of the zone, as a locale writes them in its own calendar.
    func written(_ date: Date, withDay: Bool = true, in locale: Locale) -> String {
        let calendar = locale.calendar
        func style(_ day: Date.FormatStyle.DateStyle, _ time: Date.FormatStyle.TimeStyle) -> Date.FormatStyle {
            Date.FormatStyle(date: day, time: time, locale: locale, calendar: calendar, timeZone: timeZone)
        }
        func name(_ kind: Date.FormatStyle.Symbol.TimeZone) -> String {
            date.formatted(Date.FormatStyle(locale: locale, calendar: calendar, timeZone: timeZone).timeZone(kind))
        }
        // An abbreviation where the language has one (EST, MEZ), else the full name (Türkiye
        // Saati). An offset such as GMT+3 is what ICU writes for a name that it does not have.
        let kinds: [Date.FormatStyle.Symbol.TimeZone] = [.specificName(.short), .specificName(.long), .genericName(.long)]
        let kind = kinds.first { !name($0).contains(where: \.isNumber) } ?? .specificName(.short)
        let whole = date.formatted(style(withDay ? .long : .omitted, .shortened).timeZone(kind))
        // Thai spells the hours out if a zone follows: 15 นาฬิกา 34 นาที instead of 15:34.
        let keepsTime = whole.contains(date.formatted(style(.omitted, .shortened)))
        let written = keepsTime ? whole : date.formatted(style(withDay ? .long : .omitted, .shortened)) + " " + name(kind)
        // Fonts of old mail programs lack the narrow space before PM.
        return written.replacing("\u{202f}", with: "\u{a0}")
    }
}
