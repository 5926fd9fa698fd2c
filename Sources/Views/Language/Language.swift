import Foundation

/// A shipped language: a file in `Config/languages`. A class, as there are few, and each page hands one on several times.
package final class Language: Sendable, Hashable {
    /// A BCP 47 tag, e.g. `en` or `pt-BR`; the file's name.
    package let code: String
    /// In itself, for the language switch.
    package let name: String
    let isRightToLeft: Bool
    let locale: Locale
    let plural: PluralRule
    let words: Words
    /// What ICU made of minutes since 2001 and of counts: it takes longer over one than all the rest of a page does.
    let dates = BoundedCache<Int, String>(capacity: 4096)
    let numbers = BoundedCache<Int, String>(capacity: 4096)

    init(code: String, _ file: LanguageFile) {
        self.code = code
        name = file.name
        isRightToLeft = file.direction == .rtl
        locale = Locale(identifier: file.locale)
        plural = file.plural
        words = file.words
    }

    /// By the tag alone: there is one file for each.
    package static func == (a: Language, b: Language) -> Bool { a.code == b.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    var direction: String { isRightToLeft ? "rtl" : "ltr" }

    func number(_ number: Int) -> String { numbers[number, or: number.formatted(.number.locale(locale))] }

    /// In UTC, as the person's own time zone is not known here.
    func date(_ date: Date) -> String {
        dates[
            Int((date.timeIntervalSinceReferenceDate / 60).rounded(.down)),
            or: date.formatted(Date.FormatStyle(date: .long, time: .shortened, locale: locale, timeZone: .gmt))]
    }

    func time(_ date: Date) -> Value { .time(self.date(date), iso: date.iso) }
}
