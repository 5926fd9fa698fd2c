import EmailActions

/// The context of each placeholder in an HTML body, as a browser's tokenizer reads it.
///
/// Escaping makes a value harmless between elements and in quoted attributes, but nowhere else. So
/// placeholders are refused in every other context, and so is markup that browsers may read in two
/// ways. Source: HTML, 13.2.5 Tokenization.
struct HTMLContext {
    private enum State: Equatable {
        /// Text between tags.
        case text
        case tag(TagState)
        case quotes(Unicode.Scalar)
        case comment
        /// `<!doctype …>` and similar, up to the next `>`.
        case declaration
        /// The content of an element that holds no markup, up to its end tag.
        case raw(String)
    }

    /// The position in a tag: only an attribute's name may be followed by `=`, and only that by a
    /// quotation mark.
    private enum TagState { case name, beforeAttribute, attribute, afterAttribute, beforeValue, value }

    /// Elements that can run a script, or whose content follows rules of its own.
    private static let forbiddenElements: Set = [
        "script", "iframe", "object", "embed", "noscript", "xmp", "noembed", "noframes", "plaintext", "textarea", "template", "svg", "math",
        "base",
    ]
    private static let rawElements: Set = ["style", "title"]

    private var state = State.text
    /// The name of the tag being read, in lower case, with a leading `/` for an end tag.
    private var name = ""

    /// The reason why values cannot be inserted safely; nil if they can.
    static func objection(to pieces: [LetterTemplate.Piece]) -> String? {
        var context = HTMLContext()
        var endsWithLessThan = false
        for piece in pieces {
            switch piece {
            case .words(let words):
                // An empty value also removes the space before it.
                endsWithLessThan = words.last { $0 != " " } == "<"
                if let objection = context.read(words) { return objection }
            case .placeholder(let placeholder):
                guard !endsWithLessThan else { return "A < stands before %\(placeholder.rawValue)%: write &lt;" }
                if let objection = context.objection(to: placeholder) { return objection }
            }
        }
        return context.state == .text ? nil : "A tag, a comment or an element does not end"
    }

    private func objection(to placeholder: Placeholder) -> String? {
        switch (state, placeholder) {
        case (.text, _), (.quotes, .link), (.quotes, .appName), (.comment, .link), (.comment, .appName), (.raw("title"), .appName): nil
        case (.quotes, _): "%\(placeholder.rawValue)% must stand between tags, not in one: people choose what it stands for"
        case (.tag, _): "%\(placeholder.rawValue)% in a tag must stand in quotes"
        case (.comment, _), (.declaration, _), (.raw, _): "%\(placeholder.rawValue)% must not stand in a comment, a style or a title"
        }
    }

    private mutating func read(_ words: String) -> String? {
        var rest = words.unicodeScalars[...]
        while let scalar = rest.first {
            var length = 1
            switch state {
            case .text:
                if let objection = Self.ambiguity(at: rest) { return objection }
                length = open(rest)
            case .comment:
                if rest.starts(with: "--!>".unicodeScalars) { return "A comment ends with -->, not with --!>" }
                if rest.starts(with: "-->".unicodeScalars) { (state, length) = (.text, 3) }
            case .declaration:
                if scalar == ">" { state = .text }
            case .quotes(let quote):
                if scalar == quote { state = .tag(.beforeAttribute) }
            case .raw(let element):
                if Self.ends(element, at: rest) { length = open(rest) }
            case .tag(let position):
                if let objection = readTag(scalar, at: position) { return objection }
            }
            rest = rest.dropFirst(length)
        }
        return nil
    }

    /// The objection to markup that browsers read as a comment, or as its end, although it does not
    /// look like one.
    private static func ambiguity(at rest: Substring.UnicodeScalarView) -> String? {
        if rest.starts(with: "<!-->".unicodeScalars) || rest.starts(with: "<!--->".unicodeScalars) {
            return "A comment ends where it begins"
        }
        guard rest.starts(with: "</".unicodeScalars), rest.dropFirst(2).first?.isLetter != true else { return nil }
        return "A </ stands before no element's name: write &lt;/"
    }

    /// Enters the tag, comment or declaration that begins here, if one does.
    /// - Returns: the number of scalars read.
    private mutating func open(_ rest: Substring.UnicodeScalarView) -> Int {
        let next = rest.prefix(3).map { $0 }
        guard next[0] == "<", next.count > 1 else { return 1 }
        if rest.starts(with: "<!--".unicodeScalars) {
            state = .comment
            return 4
        }
        if next[1] == "!" || next[1] == "?" {
            state = .declaration
            return 2
        }
        let isEnd = next[1] == "/"
        guard isEnd || next[1].isLetter else { return 1 }
        (state, name) = (.tag(.name), isEnd ? "/" : "")
        return isEnd ? 2 : 1
    }

    private static func ends(_ element: String, at rest: Substring.UnicodeScalarView) -> Bool {
        let (end, length) = ("</" + element, element.unicodeScalars.count + 2)
        guard String(String.UnicodeScalarView(rest.prefix(length))).lowercased() == end else { return false }
        return rest.dropFirst(length).first.map { " \t\n\r\u{c}/>".unicodeScalars.contains($0) } ?? false
    }

    private mutating func readTag(_ scalar: Unicode.Scalar, at position: TagState) -> String? {
        switch (scalar, position) {
        case ("\"", .beforeValue), ("'", .beforeValue): state = .quotes(scalar)
        case ("\"", _), ("'", _): return "A quotation mark stands in a tag where no value begins"
        case (">", _):
            if Self.forbiddenElements.contains(name) { return "The element \(name) has no place in a mail" }
            state = Self.rawElements.contains(name) ? .raw(name) : .text
        case ("<", _): return "A < stands inside of a tag"
        case ("=", .attribute), ("=", .afterAttribute): state = .tag(.beforeValue)
        case ("=", .value): break
        case ("=", _): return "An = stands in a tag where no attribute does"
        case (" ", _), ("\t", _), ("\n", _), ("\r", _):
            switch position {
            case .name, .value: state = .tag(.beforeAttribute)
            case .attribute: state = .tag(.afterAttribute)
            case .beforeAttribute, .afterAttribute, .beforeValue: break
            }
        case ("/", .name), ("/", .attribute), ("/", .afterAttribute): state = .tag(.beforeAttribute)
        case ("/", .beforeAttribute), (_, .attribute), (_, .value): break
        case (_, .name): name += String(scalar).lowercased()
        case (_, .beforeAttribute), (_, .afterAttribute): state = .tag(.attribute)
        case (_, .beforeValue): state = .tag(.value)
        }
        return nil
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool { isASCII && properties.isAlphabetic }
}
