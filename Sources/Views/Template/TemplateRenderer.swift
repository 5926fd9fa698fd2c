import Mustache

/// Renders the values of a template. Each value is rendered as escaped markup, so that a template
/// cannot forget to escape one.
struct TemplateRenderer {
    let medium: Medium
    let language: Language

    func mustache(_ context: TemplateContext) -> MustacheContext {
        MustacheContext(values: Dictionary(uniqueKeysWithValues: context.map { ($0.key.rawValue, any($0.value)) }))
    }

    private func any(_ value: TemplateValue) -> Any {
        switch value {
        case .flag: true
        case .group(let context): mustache(context)
        case .list(let items): items.map(mustache)
        default: MustacheText(renderText: string(value))
        }
    }

    func string(_ value: TemplateValue) -> String {
        switch value {
        case .text(let text): escaped(text)
        case .name(let text): isolated(text, "<bdi>", "\u{2068}")
        case .address(let text): isolated(text, "<bdi dir=\"ltr\">", "\u{2066}")
        case .mainAddress(let text): medium == .html ? "<b>\(string(.address(text)))</b>" : string(.address(text))
        case .time(let date, let iso): time(date, iso)
        case .link(let target, let shown):
            medium == .html ? "<a href=\"\(target.markup)\">\(string(.address(shown)))</a>" : string(.address(shown))
        case .phrase(let phrase, let arguments): fill(phrase) { arguments[$0].map(string) ?? "" }
        case .heading(let phrase, let arguments): fill(phrase, of: \.withWholeCompounds) { arguments[$0].map(string) ?? "" }
        case .plain(let phrase, let arguments): escaped(language.plain(phrase, arguments))
        case .markup(let markup): markup
        case .flag, .group, .list: ""
        }
    }

    private func fill(_ phrase: Phrase, of words: (String) -> String = { $0 }, _ argument: (PhraseArgument) -> String) -> String {
        phrase.pieces.map { piece in
            switch piece {
            case .words(let text): escaped(words(text))
            case .argument(let name): argument(name)
            }
        }.joined()
    }

    /// Isolates the direction of a text. Plain text has the marks in right-to-left languages only,
    /// because users copy them along without seeing them.
    private func isolated(_ text: String, _ tag: String, _ mark: String) -> String {
        switch medium {
        case .html: "\(tag)\(escaped(text))</bdi>"
        case .text: language.isRightToLeft ? "\(mark)\(text)\u{2069}" : text
        }
    }

    private func time(_ date: String, _ iso: String) -> String {
        medium == .html ? "<time datetime=\"\(iso.markup)\">\(date.markup)</time>" : date
    }

    private func escaped(_ text: String) -> String { medium == .html ? text.markup : text }
}

/// The context in which Mustache looks names up. It is not a `Dictionary`, because Mustache
/// inspects those by reflection, which takes longer than the rest of the rendering.
struct MustacheContext: MustacheParent {
    let values: [String: Any]

    func child(named name: String) -> Any? { values[name] }
}

/// A text that Mustache inserts unchanged. It is not a `String`, because Mustache inspects those by
/// reflection.
struct MustacheText: MustacheParent, MustacheCustomRenderable {
    let renderText: String
    let isNull = false

    func child(named name: String) -> Any? { nil }
}

extension String {
    /// The text with an invisible character after the hyphen of each word such as *e-mail*, at
    /// which no line ends. Source: UAX #14, WJ.
    fileprivate var withWholeCompounds: String { replacing(#/\b(\p{L})-(?=\p{L})/#) { "\($0.1)-\u{2060}" } }
}
