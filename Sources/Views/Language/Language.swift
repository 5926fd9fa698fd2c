import Foundation

/// A shipped language: a file in `Config/languages`. A class, so that passing it on copies one
/// reference.
package final class Language: Sendable, Hashable {
    /// The BCP 47 tag, such as `en` or `pt-BR`, which is the file's name.
    package let code: String
    /// The language's own name for itself, for the language switch.
    package let name: String
    let isRightToLeft: Bool
    let locale: Locale
    let plural: PluralRule
    let phrases: Phrases
    /// Dates by the minutes since 2001, and numbers. ICU takes longer to format one than the rest of a
    /// page takes.
    private let dates = BoundedCache<Int, String>(capacity: 4096)
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
    package static func == (a: Language, b: Language) -> Bool { a.code == b.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }

    var direction: String { isRightToLeft ? "rtl" : "ltr" }

    func number(_ number: Int) -> String { numbers[number, or: number.formatted(.number.locale(locale))] }

    /// A date and time in UTC, because the user's time zone is not known.
    func date(_ date: Date) -> String {
        dates[
            Int((date.timeIntervalSinceReferenceDate / 60).rounded(.down)),
            or: date.formatted(Date.FormatStyle(date: .long, time: .shortened, locale: locale, timeZone: .gmt))]
    }

    func time(_ date: Date) -> TemplateValue { .time(self.date(date), iso: date.iso) }
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

    private func plain(_ value: TemplateValue) -> String {
        switch value {
        case .text(let text), .name(let text), .address(let text), .link(_, let text): text
        case .time(let date, _): plain(phrases.durations.date, [.time: .text(date)])
        case .phrase(let phrase, let arguments), .plain(let phrase, let arguments): plain(phrase, arguments)
        case .flag, .group, .list: ""
        }
    }
}

extension Views {
    /// The shipped language with exactly this tag, ignoring case as BCP 47 does; nil if there is none
    /// (P8).
    package func language(matching tag: String?) -> Language? { tag.flatMap { language(matching: $0.utf8[...]) } }

    /// The best shipped language for a list of preferences: for each tag, the language of the tag or
    /// else of its first subtag; English if none is shipped.
    ///
    /// Source: RFC 4647, section 3.4 (lookup).
    /// - Parameter tags: in order of preference.
    package func language(liking tags: [String]) -> Language {
        for tag in tags {
            let tag = tag.utf8[...]
            if let language = language(matching: tag) ?? language(matching: tag.prefix { $0 != UInt8(ascii: "-") }) { return language }
        }
        return languages[0]
    }

    private func language(matching tag: Substring.UTF8View) -> Language? {
        languages.first { $0.code.utf8.elementsEqual(tag) { $0.lowercased == $1.lowercased } }
    }
}

extension UInt8 {
    /// In lower case, for ASCII, which language tags consist of.
    fileprivate var lowercased: UInt8 { (0x41...0x5a).contains(self) ? self | 0x20 : self }
}
