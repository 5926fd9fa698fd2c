/// A part of a mail template.
struct MailTemplateNode: Sendable {
    /// The form in which a value is inserted.
    enum Insertion: Sendable {
        /// Escaped, with the elements that isolate its direction. In text: as it is.
        case markup
        /// Escaped, for a quoted attribute or a title.
        case escaped
    }

    enum Content: Sendable {
        case words(String)
        case value(MailName, Insertion)
        case section(MailName, isInverted: Bool, [MailTemplateNode])
    }

    let content: Content
    /// The position in the source, in code points.
    let offset: Int
}

/// Reads a mail template: `{{name}}`, `{{#name}}…{{/name}}`, `{{^name}}…{{/name}}` and
/// `{{! comment }}` of Mustache, and Firebase's placeholders such as `%LINK%`.
///
/// The rest of Mustache is refused: templates need no partials, and unescaped values would be
/// unsafe. Values are inserted later, so placeholders in them are not expanded (M10).
struct MailTemplateParser {
    private struct Level {
        let section: (name: MailName, isInverted: Bool, offset: Int)?
        var nodes: [MailTemplateNode] = []
    }

    private let source: TemplateSource
    private let scope: TemplateScope
    private var index = 0
    private var words: (text: [Unicode.Scalar], offset: Int) = ([], 0)
    private var levels = [Level(section: nil)]

    static func nodes(of source: TemplateSource, for scope: TemplateScope) throws(TemplateProblem) -> [MailTemplateNode] {
        var parser = MailTemplateParser(source: source, scope: scope)
        return try parser.parse()
    }

    private init(source: TemplateSource, scope: TemplateScope) { (self.source, self.scope) = (source, scope) }

    private mutating func parse() throws(TemplateProblem) -> [MailTemplateNode] {
        while index < source.scalars.count {
            if starts(with: "{{") {
                try readTag()
            } else if let placeholder = try placeholder() {
                try append(placeholder, at: index)
                index += (placeholder.placeholder ?? "").unicodeScalars.count + 2
            } else {
                if words.text.isEmpty { words.offset = index }
                let rest = source.scalars[(index + 1)...]
                let end = rest.firstIndex { $0 == "{" || $0 == "%" } ?? rest.endIndex
                words.text += source.scalars[index..<end]
                index = end
            }
        }
        flush()
        if let section = levels.last?.section {
            throw source.problem(at: section.offset, "the section {{#\(section.name)}} does not end: add {{/\(section.name)}}")
        }
        return levels[0].nodes
    }

    private func starts(with text: String, at start: Int? = nil) -> Bool {
        source.scalars[(start ?? index)...].starts(with: text.unicodeScalars)
    }

    private mutating func flush() {
        guard !words.text.isEmpty else { return }
        add(.words(String(String.UnicodeScalarView(words.text))), at: words.offset)
        words.text = []
    }

    private mutating func add(_ content: MailTemplateNode.Content, at offset: Int) {
        levels[levels.count - 1].nodes.append(MailTemplateNode(content: content, offset: offset))
    }
}

extension MailTemplateParser {
    /// Firebase's placeholder that begins here; nil if there is none. A word in capitals between
    /// two `%` that is not one is refused, unless it begins like a percent-encoded byte.
    private func placeholder() throws(TemplateProblem) -> MailName? {
        guard source.scalars[index] == "%" else { return nil }
        let word = String(String.UnicodeScalarView(source.scalars[(index + 1)...].prefix(40).prefix { "A"..."Z" ~= $0 || $0 == "_" }))
        guard word.count > 2, starts(with: "%", at: index + 1 + word.unicodeScalars.count) else { return nil }
        if let name = MailName.allCases.first(where: { $0.placeholder == word }) { return name }
        guard !word.prefix(2).allSatisfy(\.isHexDigit) else { return nil }
        let known = MailName.allCases.filter(scope.has).compactMap(\.placeholder).map { "%\($0)%" }.joined(separator: ", ")
        throw source.problem(at: index, "unknown placeholder %\(word)%; expected one of \(known)")
    }

    private mutating func readTag() throws(TemplateProblem) {
        let start = index
        guard let length = source.scalars[(start + 2)...].firstRange(of: Array("}}".unicodeScalars))?.lowerBound else {
            throw source.problem(at: start, "{{ begins a tag that does not end: add }}, or write the braces as &#123;&#123; in HTML")
        }
        let content = source.text(of: (start + 2)..<length)
        let kind = content.unicodeScalars.first ?? " "
        let name = String(content.drop { "#^/".contains($0) }).trimming(" \t\n")
        index = length + 2
        switch kind {
        case "{", "&":
            throw source.problem(at: start, "unescaped values are not available: write {{\(name.trimming("{&} "))}}, which is escaped")
        case ">", "<", "$", "=", "%":
            throw source.problem(at: start, "{{\(kind) is not available in mail templates: write the text here")
        case "!": skipLine(from: start)
        case "#", "^":
            let section = try self.name(name, at: start)
            // The one list, `facts`, would multiply the mail each time it is within itself.
            guard !levels.contains(where: { $0.section?.name == section }) else {
                throw source.problem(at: start, "the section {{\(kind)\(section)}} is within itself: end the outer one first")
            }
            skipLine(from: start)
            flush()
            levels.append(Level(section: (section, kind == "^", start)))
        case "/":
            guard levels.count > 1, let section = levels.last?.section, section.name.rawValue == name else {
                let open = levels.last?.section.map { "; expected {{/\($0.name)}}" } ?? ", because no section is open"
                throw source.problem(at: start, "{{/\(name)}} ends nothing\(open)")
            }
            skipLine(from: start)
            flush()
            let nodes = levels.removeLast().nodes
            add(.section(section.name, isInverted: section.isInverted, nodes), at: section.offset)
        default: try append(self.name(name, at: start), at: start)
        }
    }

    private func name(_ text: String, at offset: Int) throws(TemplateProblem) -> MailName {
        if let name = MailName(rawValue: text), scope.has(name) { return name }
        let isKnown = MailName(rawValue: text) != nil
        throw source.problem(
            at: offset, (isKnown ? "this mail has no \(text)" : "unknown name {{\(text)}}") + "; expected one of \(scope.names)")
    }

    private mutating func append(_ name: MailName, at offset: Int) throws(TemplateProblem) {
        guard scope.has(name) else { throw source.problem(at: offset, "this mail has no \(name); expected one of \(scope.names)") }
        let sections = levels.compactMap(\.section)
        let isFact = sections.contains { $0.name == .facts && !$0.isInverted }
        switch name {
        case .facts:
            throw source.problem(at: offset, "{{facts}} is a list: write {{#facts}}{{label}}: {{value}}{{/facts}}")
        case .label, .value:
            if !isFact { throw source.problem(at: offset, "{{\(name)}} is only available in {{#facts}}…{{/facts}}") }
        case .link:
            if sections.contains(where: { $0.name != .link || $0.isInverted }) {
                throw source.problem(at: offset, "the link may be in no section but {{#link}}…{{/link}}, so that no mail lacks it")
            }
            if scope.link == .sometimes, sections.isEmpty {
                throw source.problem(at: offset, "this template is also for mails without a link: write {{#link}}…{{/link}} around it")
            }
        default: break
        }
        flush()
        add(.value(name, .markup), at: offset)
    }

    /// Leaves out the line of a section's tag or a comment that has its own line.
    /// Source: Mustache, standalone tags.
    private mutating func skipLine(from start: Int) {
        func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
        let indent = source.scalars[..<start].reversed().prefix(while: isSpace).count
        let end = index + source.scalars[index...].prefix(while: isSpace).count
        guard start == indent || source.scalars[start - indent - 1] == "\n" else { return }
        guard end == source.scalars.count || source.scalars[end] == "\n" else { return }
        words.text.removeLast(indent)
        index = min(end + 1, source.scalars.count)
    }
}

extension String {
    fileprivate func trimming(_ characters: String) -> String {
        var rest = self[...]
        while let first = rest.first, characters.contains(first) { rest.removeFirst() }
        while let last = rest.last, characters.contains(last) { rest.removeLast() }
        return String(rest)
    }
}
