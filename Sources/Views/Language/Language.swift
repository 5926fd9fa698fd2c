import Foundation

/// A shipped language: a file in `Config/languages`.
package struct Language: Sendable, Hashable {
    /// A BCP 47 tag, e.g. `en` or `pt-BR`; the file's name.
    package let code: String
    /// In itself, for the language switch.
    package let name: String
    let isRightToLeft: Bool
    let locale: Locale
    let plural: PluralRule
    let words: Words

    /// By the tag alone: there is one file for each.
    package static func == (a: Language, b: Language) -> Bool { a.code == b.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    var direction: String { isRightToLeft ? "rtl" : "ltr" }

    /// Rounded to the nearest of the largest unit that fits twice, or exactly; at least one minute.
    func duration(from start: Date, to end: Date) -> Value {
        let minutes = Int(max(1, min((end.timeIntervalSince(start) / 60).rounded(), 1e9)))
        let units = [(1440, words.durations.days), (60, words.durations.hours), (1, words.durations.minutes)]
        let (size, wording) = units.first { minutes % $0.0 == 0 || minutes >= 2 * $0.0 } ?? (1, words.durations.minutes)
        let count = (minutes + size / 2) / size
        return .phrase(wording.form(for: count, by: plural), [.count: .text(number(count))])
    }

    func number(_ number: Int) -> String { number.formatted(.number.locale(locale)) }

    /// In UTC, as the person's own time zone is not known here.
    func date(_ date: Date) -> String {
        date.formatted(Date.FormatStyle(date: .long, time: .shortened, locale: locale, timeZone: .gmt))
    }
}
