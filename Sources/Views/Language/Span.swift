import Foundation

/// How far a moment is from now, as a person would say it.
struct Span: Sendable, Hashable {
    enum Unit: Int, Sendable, CaseIterable { case days = 1440, hours = 60, minutes = 1 }

    let unit: Unit
    let form: PluralRule.Form
    /// In the digits of the language.
    var count: String
}

extension Language {
    /// Rounded to the nearest of the largest unit that fits twice, or exactly; at least one minute.
    func span(from start: Date, to end: Date) -> Span {
        let minutes = Int(max(1, min((end.timeIntervalSince(start) / 60).rounded(), 1e9)))
        let unit = Span.Unit.allCases.first { minutes % $0.rawValue == 0 || minutes >= 2 * $0.rawValue } ?? .minutes
        let count = (minutes + unit.rawValue / 2) / unit.rawValue
        return Span(unit: unit, form: plural.form(of: count), count: number(count))
    }

    func saying(_ span: Span) -> Value {
        let wording =
            switch span.unit {
            case .days: words.durations.days
            case .hours: words.durations.hours
            case .minutes: words.durations.minutes
            }
        return .phrase(wording[span.form], [.count: .text(span.count)])
    }
}
