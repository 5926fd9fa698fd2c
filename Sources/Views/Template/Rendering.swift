/// Puts values into words. What comes out is markup in full, so that templates escape nothing and cannot forget to.
struct Rendering {
    let medium: Medium
    let language: Language

    func filling(_ fields: Fields) -> Filling {
        Filling(values: Dictionary(uniqueKeysWithValues: fields.map { ($0.key.rawValue, any($0.value)) }))
    }

    private func any(_ value: Value) -> Any {
        switch value {
        case .flag: true
        case .group(let fields): filling(fields)
        case .list(let items): items.map(filling)
        default: Written(renderText: string(value))
        }
    }

    private func string(_ value: Value) -> String {
        switch value {
        case .text(let text): escaped(text)
        case .name(let text): isolated(text, "<bdi>", "\u{2068}")
        case .address(let text): isolated(text, "<bdi dir=\"ltr\">", "\u{2066}")
        case .time(let date, let iso): time(date, iso)
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

    private func time(_ date: String, _ iso: String) -> String {
        let words = fill(language.words.durations.date) { _ in escaped(date) }
        return medium == .html ? "<time datetime=\"\(escaped(iso))\">\(words)</time>" : words
    }

    private func escaped(_ text: String) -> String { medium == .html ? text.markup : text }
}
