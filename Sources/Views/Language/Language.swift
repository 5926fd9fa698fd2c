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
    private let words: Locked<Words>
    /// Dates by minute and time zone, and numbers. ICU takes longer to format one than the rest of
    /// a page takes.
    private let dates = BoundedCache<ZonedMinute, String>(capacity: 4096)
    private let numbers = BoundedCache<Int, String>(capacity: 4096)

    /// The phrases of a language. Those of a release's file are read when they are first asked for:
    /// 42 languages at each start would take half of its time, and most of the memory of an idle
    /// server. The bytes are read at start, because an upgrade replaces the files.
    enum Words {
        case read(Phrases)
        case unread([UInt8], fallback: Phrases)
    }

    init(code: String, _ facts: LanguageFile.Facts, _ words: Words) {
        self.code = code
        name = facts.name
        isRightToLeft = facts.direction == .rtl
        locale = Locale(identifier: facts.locale)
        plural = facts.plural
        self.words = Locked(words)
    }

    /// The phrases; those of the fallback if the file is damaged, which `onward self-check` says.
    var phrases: Phrases {
        words.update { words in
            switch words {
            case .read(let phrases): return phrases
            case .unread(let content, let fallback):
                let phrases = (try? JSONDecoder().decode(LanguageFile.self, from: Data(content)))?.words ?? fallback
                words = .read(phrases)
                return phrases
            }
        }
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
