/// Renders a project's own template with the values of one mail.
struct MailTemplateRenderer {
    /// A piece of the result. The link is apart, because a text shows it as a button in HTML.
    enum Piece {
        /// The template's own words, and a value as it is inserted.
        case words(String), value(String)
        case link
    }

    let medium: Medium
    let language: Language
    let values: [MailName: TemplateValue]
    let facts: [Fact]

    /// - Parameter isPlain: whether values have no direction marks, as in a header field.
    func text(
        of template: MailTemplate, isPlain: Bool = false, within budget: inout CompositionBudget
    ) throws(CompositionError) -> String {
        try pieces(of: template.nodes, values, isPlain: isPlain, within: &budget).map { piece in
            switch piece {
            case .words(let text), .value(let text): text
            case .link: link
            }
        }.joined()
    }

    /// The link between tags or in text, where a direction mark would be copied along with it.
    private var link: String {
        let link = address
        return medium == .html ? renderer.string(.address(link)) : link
    }

    private var address: String { values[.link].map(language.plain) ?? "" }

    private var renderer: TemplateRenderer { TemplateRenderer(medium: medium, language: language) }

    /// A missing value also removes the space before it, so that `Hello {{displayName}},` becomes
    /// `Hello,` for an account without a name.
    private func pieces(
        of nodes: [MailTemplateNode], _ values: [MailName: TemplateValue], isPlain: Bool = false, within budget: inout CompositionBudget
    ) throws(CompositionError) -> [Piece] {
        var pieces: [Piece] = []
        for node in nodes {
            switch node.content {
            case .words(let words):
                try budget.spend(words)
                pieces.append(.words(words))
            case .value(.link, .markup):
                try budget.spend(link)
                pieces.append(.link)
            case .value(let name, let insertion):
                guard let value = values[name] else {
                    if case .words(let words)? = pieces.last, words.last == " " {
                        pieces[pieces.count - 1] = .words(String(words.dropLast()))
                    }
                    continue
                }
                let isEscaped = isPlain || insertion == .escaped
                let plain = isEscaped ? language.plain(value) : renderer.string(value)
                let text = isEscaped && medium == .html ? plain.markup : plain
                try budget.spend(text)
                pieces.append(.value(text))
            case .section(.facts, let isInverted, let inner):
                guard !isInverted else { continue }
                for (label, value) in facts {
                    let own: [MailName: TemplateValue] = [.label: .phrase(label, [:]), .value: value]
                    pieces += try self.pieces(of: inner, values.merging(own) { $1 }, isPlain: isPlain, within: &budget)
                }
            case .section(let name, let isInverted, let inner):
                guard (values[name] == nil) == isInverted else { continue }
                pieces += try self.pieces(of: inner, values, isPlain: isPlain, within: &budget)
            }
        }
        return pieces
    }
}

extension MailTemplateRenderer {
    /// The paragraphs of a text in HTML. A link on its own line becomes a button.
    func paragraphs(of template: MailTemplate, within budget: inout CompositionBudget) throws(CompositionError) -> [TemplateContext] {
        var paragraphs: [TemplateContext] = []
        var lines: [String] = []
        func endParagraph() {
            if !lines.isEmpty { paragraphs.append([.words: .markup(lines.joined(separator: "<br>\n"))]) }
            lines = []
        }
        for line in try self.lines(of: template, within: &budget) {
            let isBlank = line.allSatisfy { $0.isBlank }
            if line.contains(where: \.isLink), line.allSatisfy({ $0.isBlank || $0.isLink }) {
                endParagraph()
                paragraphs.append([.isLink: .flag])
            } else if isBlank {
                endParagraph()
            } else {
                lines.append(line.map(markup).joined())
            }
        }
        endParagraph()
        return paragraphs
    }

    private func markup(_ piece: Piece) -> String {
        switch piece {
        case .words(let words): words.markup
        case .value(let markup): markup
        case .link: renderer.string(.link(to: address, shown: address))
        }
    }

    private func lines(of template: MailTemplate, within budget: inout CompositionBudget) throws(CompositionError) -> [[Piece]] {
        try pieces(of: template.nodes, values, within: &budget).reduce(into: [[]]) { lines, piece in
            guard case .words(let words) = piece else { return lines[lines.count - 1].append(piece) }
            for (index, part) in words.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { lines.append([]) }
                lines[lines.count - 1].append(.words(String(part)))
            }
        }
    }
}

extension MailTemplateRenderer.Piece {
    fileprivate var isLink: Bool { if case .link = self { true } else { false } }
    fileprivate var isBlank: Bool { if case .words(let words) = self { words.allSatisfy(\.isWhitespace) } else { false } }
}
