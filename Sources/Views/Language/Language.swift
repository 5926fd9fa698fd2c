import Base
import Foundation

/// A shipped language: a file in `Config/languages`. A class, so that passing it on copies one
/// reference.
public final class Language: Sendable, Hashable {
    /// The BCP 47 tag, such as `en` or `pt-BR`, which is the file's name.
    public let code: String
    /// The language's own name for itself, for the language switch.
    public let name: String
    let isRightToLeft: Bool
    let locale: Locale
    let plural: PluralRule
    let phrases: Phrases
    /// Dates by minute and time zone, and numbers. ICU takes longer to format one than the rest of
    /// a page takes.
    private let dates = BoundedCache<ZonedMinute, String>(capacity: 4096)
    private let numbers = BoundedCache<Int, String>(capacity: 4096)

    init(code: String, _ file: LanguageFile) {
        self.code = code
        name = file.name
        isRightToLeft = file.direction == .rtl
        locale = Locale(identifier: file.locale)
        plural = file.plural
        phrases = file.words
    }

    /// Languages are equal if their tags are: there is one file for each tag.
    public static func == (a: Language, b: Language) -> Bool { a.code == b.code }
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    var direction: String { isRightToLeft ? "rtl" : "ltr" }

    func number(_ number: Int) -> String { numbers[number, or: number.formatted(.number.locale(locale))] }

    /// A date and time in the project's time zone, with its name, because the user's is not known.
    func date(_ date: Date, in zone: NamedTimeZone) -> String {
        dates[ZonedMinute(date, in: zone), or: zone.written(date, in: locale)]
    }

    /// The time alone, with the zone's name.
    func clock(_ date: Date, in zone: NamedTimeZone) -> String {
        zone.written(date, withDay: false, in: locale)
    }

    func time(_ date: Date, in zone: NamedTimeZone) -> TemplateValue { .time(self.date(date, in: zone), iso: date.iso) }
}

extension Language {
    /// A phrase as plain text, without markup or direction marks.
    func plain(_ phrase: Phrase, _ arguments: PhraseArguments) -> String {
        phrase.pieces.map { piece in
            switch piece {
            case .words(let words): words
            case .argument(let name): arguments[name].map(plain) ?? ""
            }
        }.joined()
    }

    func plain(_ value: TemplateValue) -> String {
        switch value {
        case .text(let text), .name(let text), .address(let text), .mainAddress(let text), .link(_, let text), .time(let text, _): text
        case .phrase(let phrase, let arguments), .heading(let phrase, let arguments), .plain(let phrase, let arguments):
            plain(phrase, arguments)
        case .markup, .flag, .group, .list: ""
        }
    }
}
