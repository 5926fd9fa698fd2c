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
        case .time(let date, _): plain(words.durations.date, [.time: .text(date)])
        case .phrase(let phrase, let blanks), .plain(let phrase, let blanks): plain(phrase, blanks)
        case .flag, .group, .list: ""
        }
    }
}
