import Foundation

/// What a mail or a page is written in.
enum Medium { case html, text }

/// What fills a template's slot, or a phrase's blank.
indirect enum Value {
    /// Words that need no care for their direction.
    case text(String)
    /// Somebody else's words, in whatever direction: kept from turning the sentence around.
    case name(String)
    /// An address, a host or a link: left to right in every language.
    case address(String)
    case time(Date)
    case link(to: String, shown: String)
    case phrase(Phrase, [Blank: Value])
    /// A phrase where no element can stand: a title, an attribute, a subject.
    case plain(Phrase, [Blank: Value])
    case flag
    case group(Fields)
    case list([Fields])
}

typealias Fields = [Slot: Value]

/// Puts values into words. What comes out is markup in full, so that templates escape nothing and cannot forget to.
struct Rendering {
    let medium: Medium
    let language: Language

    func object(_ fields: Fields) -> [String: Any] {
        Dictionary(uniqueKeysWithValues: fields.map { ($0.key.rawValue, any($0.value)) })
    }

    private func any(_ value: Value) -> Any {
        switch value {
        case .flag: true
        case .group(let fields): object(fields)
        case .list(let items): items.map(object)
        default: string(value)
        }
    }

    private func string(_ value: Value) -> String {
        switch value {
        case .text(let text): escaped(text)
        case .name(let text): isolated(text, "<bdi>", "\u{2068}")
        case .address(let text): isolated(text, "<bdi dir=\"ltr\">", "\u{2066}")
        case .time(let date): time(date)
        case .link(let target, let shown):
            medium == .html ? "<a href=\"\(target.markup)\">\(string(.address(shown)))</a>" : string(.address(shown))
        case .phrase(let phrase, let blanks): fill(phrase) { blanks[$0].map(string) ?? "" }
        case .plain(let phrase, let blanks): escaped(language.plain(phrase, blanks))
        case .flag, .group, .list: ""
        }
    }

    private func fill(_ phrase: Phrase, _ blank: (Blank) -> String) -> String {
        phrase.pieces.map { piece in
            switch piece {
            case .words(let words): escaped(words)
            case .blank(let name): blank(name)
            }
        }.joined()
    }

    /// In mails as text only where the sentence runs the other way: the marks are unseen, but get copied along.
    private func isolated(_ text: String, _ tag: String, _ mark: String) -> String {
        switch medium {
        case .html: "\(tag)\(escaped(text))</bdi>"
        case .text: language.isRightToLeft ? "\(mark)\(text)\u{2069}" : text
        }
    }

    private func time(_ date: Date) -> String {
        let words = fill(language.words.durations.date) { _ in escaped(language.date(date)) }
        return medium == .html ? "<time datetime=\"\(date.formatted(.iso8601))\">\(words)</time>" : words
    }

    private func escaped(_ text: String) -> String { medium == .html ? text.markup : text }
}

extension Language {
    /// A phrase without any markup or mark.
    func plain(_ phrase: Phrase, _ blanks: [Blank: Value]) -> String {
        phrase.pieces.map { piece in
            switch piece {
            case .words(let words): words
            case .blank(let name): blanks[name].map(plain) ?? ""
            }
        }.joined()
    }

    private func plain(_ value: Value) -> String {
        switch value {
        case .text(let text), .name(let text), .address(let text), .link(_, let text): text
        case .time(let moment): plain(words.durations.date, [.time: .text(date(moment))])
        case .phrase(let phrase, let blanks), .plain(let phrase, let blanks): plain(phrase, blanks)
        case .flag, .group, .list: ""
        }
    }
}

extension String {
    /// Escaped for elements and quoted attributes alike, by scalars: swift-mustache escapes by characters, and lets a quotation mark
    /// pass that carries a combining accent, though a browser sees it end the attribute (P7).
    var markup: String {
        var markup = ""
        markup.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "<": markup += "&lt;"
            case ">": markup += "&gt;"
            case "&": markup += "&amp;"
            case "\"": markup += "&quot;"
            case "'": markup += "&#39;"
            case "\r": markup += "&#13;"
            case "\0": markup += "\u{fffd}"
            default: markup.unicodeScalars.append(scalar)
            }
        }
        return markup
    }
}
