/// Checks the markup of an HTML mail as a browser's tokenizer reads it, and decides how each value
/// is inserted.
///
/// Escaping makes a value harmless between elements and in quoted attributes, but nowhere else. So
/// values are refused in every other place, and so is markup that browsers may read in two ways: a
/// mail cannot be taken back. Source: HTML, 13.2.5 Tokenization.
struct MailMarkup {
    private enum State: Equatable {
        /// Text between tags.
        case text
        case tag(TagState)
        case quotes(Unicode.Scalar)
        case comment
        /// `<!doctype …>` or `<![if …]>`, up to the next `>`.
        case declaration
        /// The content of an element that holds no markup, up to its end tag.
        case raw(String)
    }

    /// The position in a tag.
    private enum TagState { case name, beforeAttribute, attribute, afterAttribute, beforeValue, afterValue, slash }

    private let source: TemplateSource
    private var state = State.text
    /// The tag that is being read. The name of an end tag begins with `/`.
    private var tag = MarkupTag(offset: 0)
    /// The text of the comment, style or title that is being read, with its values as `{{name}}`.
    private var content = ""
    private var open = OpenElements()
    /// The number of open elements that the current section must not close.
    private var floor = 0
    private(set) var isDocument = false
    /// The places of the link: in the `href` of an `<a>`, and as text.
    private var links: (hrefs: Int, shown: Int) = (0, 0)

    init(_ source: TemplateSource) { self.source = source }

    /// The nodes with the form of each value.
    mutating func checked(_ nodes: [MailTemplateNode], for scope: TemplateScope) throws(TemplateProblem) -> [MailTemplateNode] {
        let checked = try read(nodes)
        if let left = open.last { throw source.problem(at: left.offset, "<\(left.name)> is not closed: add </\(left.name)>") }
        guard state == .text else { throw source.problem(at: tag.offset, "a tag, comment or element does not end") }
        guard scope.link == .never || links.hrefs == 1 else {
            throw source.problem(
                at: 0, "the link must be in one href, once: write <a href=\"{{link}}\">…</a>; here it is in \(links.hrefs)")
        }
        guard links.shown <= 1 else { throw source.problem(at: 0, "the link may be shown once besides its href, not \(links.shown) times") }
        return checked
    }

    private mutating func read(_ nodes: [MailTemplateNode]) throws(TemplateProblem) -> [MailTemplateNode] {
        var checked: [MailTemplateNode] = []
        for node in nodes {
            switch node.content {
            case .words(let words):
                try read(Array(words.unicodeScalars), at: node.offset)
                checked.append(node)
            case .value(let name, _):
                checked.append(MailTemplateNode(content: .value(name, try insertion(of: name, at: node.offset)), offset: node.offset))
            case .section(let name, let isInverted, let inner):
                let outer = floor
                try checkSection(name, at: node.offset)
                floor = open.count
                let content = try read(inner)
                if open.count > floor, let left = open.last {
                    throw source.problem(at: left.offset, "<\(left.name)> must end in the section in which it begins")
                }
                try checkSection(name, at: node.offset)
                floor = outer
                checked.append(MailTemplateNode(content: .section(name, isInverted: isInverted, content), offset: node.offset))
            }
        }
        return checked
    }

    private func checkSection(_ name: MailName, at offset: Int) throws(TemplateProblem) {
        guard state != .text else { return }
        throw source.problem(at: offset, "the section {{#\(name)}} must begin and end between tags")
    }

    /// The form in which a value is inserted here.
    private mutating func insertion(of name: MailName, at offset: Int) throws(TemplateProblem) -> MailTemplateNode.Insertion {
        let placeholder = "{{\(name)}}"
        switch state {
        case .text:
            if name == .link { links.shown += 1 }
            return .markup
        case .quotes where name.fitsAttributes: tag.append(placeholder)
        case .comment where name == .link || name == .appName || name.isColour: content += placeholder
        case .raw("style") where name.isColour || name == .start || name == .direction: content += placeholder
        case .raw("title") where name.fitsAttributes && name != .link: content += placeholder
        case .quotes: throw source.problem(at: offset, "\(placeholder) must stand between tags, not in one: people choose its value")
        case .tag: throw source.problem(at: offset, "\(placeholder) in a tag must be in the quotes of an attribute")
        default: throw source.problem(at: offset, "\(placeholder) must not be in a comment, a style or a title")
        }
        return .escaped
    }

    private mutating func read(_ scalars: [Unicode.Scalar], at start: Int) throws(TemplateProblem) {
        var index = 0
        while index < scalars.count {
            let rest = scalars[index...]
            let (scalar, offset) = (scalars[index], start + index)
            var length = 1
            switch state {
            case .text: length = scalar == "<" ? try begin(rest, at: offset) : rest.length(before: "<")
            case .comment where scalar != "-":
                length = rest.length(before: "-")
                content += String(String.UnicodeScalarView(rest.prefix(length)))
            case .comment:
                if rest.starts(with: "--!>".unicodeScalars) { throw source.problem(at: offset, "a comment ends with -->, not with --!>") }
                if rest.starts(with: "-->".unicodeScalars) {
                    if let problem = MarkupRules.objection(toComment: content) { throw source.problem(at: tag.offset, problem) }
                    (state, length) = (.text, 3)
                } else {
                    content.unicodeScalars.append(scalar)
                }
            case .declaration: if scalar == ">" { state = .text }
            case .quotes(let quote):
                if scalar == quote {
                    state = .tag(.afterValue)
                } else {
                    length = rest.length(before: quote)
                    tag.append(String(String.UnicodeScalarView(rest.prefix(length))))
                }
            case .raw where scalar != "<":
                length = rest.length(before: "<")
                content += String(String.UnicodeScalarView(rest.prefix(length)))
            case .raw(let element):
                if Self.ends(element, at: rest) {
                    if element == "style", let problem = MarkupRules.objection(toStyle: content) {
                        throw source.problem(at: tag.offset, problem)
                    }
                    length = try begin(rest, at: offset)
                } else {
                    content.unicodeScalars.append(scalar)
                }
            case .tag(let position): try readTag(scalar, at: position, offset)
            }
            index += length
        }
    }

    /// Enters the tag, comment or declaration that begins here.
    /// - Returns: the number of scalars read.
    private mutating func begin(_ rest: ArraySlice<Unicode.Scalar>, at offset: Int) throws(TemplateProblem) -> Int {
        func starts(_ text: String) -> Bool { rest.starts(with: text.unicodeScalars) }
        tag = MarkupTag(offset: offset)
        content = ""
        if starts("<!-->") || starts("<!--->") { throw source.problem(at: offset, "a comment ends where it begins") }
        if starts("<!--") {
            state = .comment
            return 4
        }
        let next = rest.dropFirst().prefix(8)
        if String(String.UnicodeScalarView(next)).lowercased() == "!doctype" || starts("<![if ") || starts("<![endif]") {
            state = .declaration
            return 2
        }
        let isEnd = next.first == "/"
        guard let first = isEnd ? next.dropFirst().first : next.first, first.isASCII, first.properties.isAlphabetic else {
            throw source.problem(at: offset, "a < begins no tag here: write &lt;")
        }
        state = .tag(.name)
        tag.name = isEnd ? "/" : ""
        return isEnd ? 2 : 1
    }

    private static func ends(_ element: String, at rest: ArraySlice<Unicode.Scalar>) -> Bool {
        let (end, length) = ("</" + element, element.unicodeScalars.count + 2)
        guard String(String.UnicodeScalarView(rest.prefix(length))).lowercased() == end else { return false }
        return rest.dropFirst(length).first.map { " \t\n\r\u{c}/>".unicodeScalars.contains($0) } ?? false
    }
}

extension MailMarkup {
    private mutating func readTag(_ scalar: Unicode.Scalar, at position: TagState, _ offset: Int) throws(TemplateProblem) {
        switch (scalar, position) {
        case (">", .beforeValue): throw source.problem(at: offset, "an attribute has no value after its =")
        case (">", _): try endTag()
        case ("\"", .beforeValue), ("'", .beforeValue): state = .quotes(scalar)
        case ("\"", _), ("'", _): throw source.problem(at: offset, "a quotation mark is in a tag where no value begins")
        case ("<", _): throw source.problem(at: offset, "a < is in a tag")
        case ("=", .attribute), ("=", .afterAttribute): state = .tag(.beforeValue)
        case ("=", _): throw source.problem(at: offset, "an = is in a tag where no attribute is")
        case (" ", _), ("\t", _), ("\n", _), ("\u{c}", _):
            switch position {
            case .name, .afterValue: state = .tag(.beforeAttribute)
            case .attribute: state = .tag(.afterAttribute)
            case .beforeAttribute, .afterAttribute, .beforeValue, .slash: break
            }
        case ("/", .name), ("/", .attribute), ("/", .beforeAttribute), ("/", .afterAttribute), ("/", .afterValue): state = .tag(.slash)
        case (_, .slash): throw source.problem(at: offset, "a / in a tag must be followed by >")
        case (_, .beforeValue): throw source.problem(at: offset, "the value of \(tag.attributes.last?.name ?? "an attribute") needs quotes")
        case (_, .afterValue): throw source.problem(at: offset, "a space is missing between two attributes")
        case (_, .name): tag.name += String(scalar).lowercased()
        case (_, .attribute): tag.attributes[tag.attributes.count - 1].name += String(scalar).lowercased()
        case (_, .beforeAttribute), (_, .afterAttribute):
            tag.attributes.append(MarkupTag.Attribute(name: String(scalar).lowercased(), offset: offset))
            state = .tag(.attribute)
        }
    }

    private mutating func endTag() throws(TemplateProblem) {
        let isEmpty = state == .tag(.slash)
        state = .text
        if tag.name.hasPrefix("/") { return try close(String(tag.name.dropFirst())) }
        if tag.name == "html" { isDocument = true }
        if let (offset, sentence) = MarkupRules.objection(to: tag, in: open) { throw source.problem(at: offset, sentence) }
        if tag.name == "a", tag["href"] == "{{link}}" { links.hrefs += 1 }
        if MarkupRules.voidElements.contains(tag.name) { return }
        if isEmpty { throw source.problem(at: tag.offset, "browsers ignore the / of <\(tag.name)/>: write <\(tag.name)></\(tag.name)>") }
        open.append(tag.name, at: tag.offset)
        if MarkupRules.rawElements.contains(tag.name) { state = .raw(tag.name) }
    }

    private mutating func close(_ name: String) throws(TemplateProblem) {
        guard tag.attributes.isEmpty else { throw source.problem(at: tag.offset, "an end tag has no attributes") }
        guard open.count > floor, let last = open.last else { throw source.problem(at: tag.offset, "</\(name)> closes nothing") }
        guard last.name == name else {
            let begin = source.problem(at: last.offset, "").line
            throw source.problem(
                at: tag.offset, "</\(name)> stands where </\(last.name)> is expected, for the <\(last.name)> of line \(begin)")
        }
        open.removeLast()
    }
}

extension ArraySlice<Unicode.Scalar> {
    fileprivate func length(before end: Unicode.Scalar) -> Int { (firstIndex(of: end) ?? endIndex) - startIndex }
}

/// The elements around a place in the markup. Whether one is among them is known without a search.
struct OpenElements {
    private var elements: [(name: String, offset: Int)] = []
    private var counts: [String: Int] = [:]

    var count: Int { elements.count }
    var last: (name: String, offset: Int)? { elements.last }

    func contains(_ name: String) -> Bool { counts[name, default: 0] > 0 }

    mutating func append(_ name: String, at offset: Int) {
        elements.append((name, offset))
        counts[name, default: 0] += 1
    }

    mutating func removeLast() { counts[elements.removeLast().name, default: 0] -= 1 }
}

/// A tag with its attributes.
struct MarkupTag {
    struct Attribute {
        /// In lower case.
        var name: String
        /// With each value of the mail as `{{name}}`; empty for an attribute without a value.
        var value = ""
        let offset: Int
    }

    /// In lower case.
    var name = ""
    var attributes: [Attribute] = []
    let offset: Int

    init(offset: Int) { self.offset = offset }

    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    mutating func append(_ text: String) { attributes[attributes.count - 1].value += text }
}
