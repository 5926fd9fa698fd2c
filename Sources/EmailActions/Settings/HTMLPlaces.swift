/// Where the placeholders of an HTML body stand, as a browser's tokenizer would say. Escaping makes a value harmless between elements and
/// in quotes, but nowhere else; so elsewhere none is allowed, and what browsers might read in two ways is refused.
/// Source: HTML, 13.2.5 Tokenization.
struct HTMLPlaces {
    private enum Place: Equatable {
        case between
        case tag(Spot)
        case quotes(Unicode.Scalar)
        case comment
        /// `<!doctype …>` and the like, up to the next `>`.
        case declaration
        /// In an element whose content is no markup, up to its end tag.
        case raw(String)
    }

    /// Where inside of a tag: only an attribute's name may be followed by `=`, and only that by a quotation mark.
    private enum Spot { case name, beforeAttribute, attribute, afterAttribute, beforeValue, value }

    /// What could hold a script, or reads its content by rules of its own.
    private static let forbidden: Set = [
        "script", "iframe", "object", "embed", "noscript", "xmp", "noembed", "noframes", "plaintext", "textarea", "template", "svg", "math",
        "base",
    ]
    private static let raw: Set = ["style", "title"]

    private var place = Place.between
    /// Lower-cased, of the tag that is being read; with its `/` if it ends an element.
    private var name = ""

    /// Why values could not safely be put in; nil where they can.
    static func objection(to pieces: [LetterTemplate.Piece]) -> String? {
        var places = HTMLPlaces()
        var endsOpen = false
        for piece in pieces {
            switch piece {
            case .words(let words):
                // A value that is empty takes a space before it along.
                endsOpen = words.last { $0 != " " } == "<"
                if let objection = places.read(words) { return objection }
            case .placeholder(let placeholder):
                guard !endsOpen else { return "A < stands before %\(placeholder.rawValue)%: write &lt;" }
                if let objection = places.objection(to: placeholder) { return objection }
            }
        }
        return places.place == .between ? nil : "A tag, a comment or an element does not end"
    }

    private func objection(to placeholder: Placeholder) -> String? {
        switch (place, placeholder) {
        case (.between, _), (.quotes, .link), (.quotes, .appName), (.comment, .link), (.comment, .appName), (.raw("title"), .appName): nil
        case (.quotes, _): "%\(placeholder.rawValue)% must stand between tags, not in one: people choose what it stands for"
        case (.tag, _): "%\(placeholder.rawValue)% in a tag must stand in quotes"
        case (.comment, _), (.declaration, _), (.raw, _): "%\(placeholder.rawValue)% must not stand in a comment, a style or a title"
        }
    }

    private mutating func read(_ words: String) -> String? {
        var rest = words.unicodeScalars[...]
        while let scalar = rest.first {
            var length = 1
            switch place {
            case .between:
                if let objection = Self.ambiguity(at: rest) { return objection }
                length = open(rest)
            case .comment:
                if rest.starts(with: "--!>".unicodeScalars) { return "A comment ends with -->, not with --!>" }
                if rest.starts(with: "-->".unicodeScalars) { (place, length) = (.between, 3) }
            case .declaration:
                if scalar == ">" { place = .between }
            case .quotes(let quote):
                if scalar == quote { place = .tag(.beforeAttribute) }
            case .raw(let element):
                if Self.ends(element, at: rest) { length = open(rest) }
            case .tag(let spot):
                if let objection = readTag(scalar, at: spot) { return objection }
            }
            rest = rest.dropFirst(length)
        }
        return nil
    }

    /// What browsers take for a comment, or for its end, though it does not look like one.
    private static func ambiguity(at rest: Substring.UnicodeScalarView) -> String? {
        if rest.starts(with: "<!-->".unicodeScalars) || rest.starts(with: "<!--->".unicodeScalars) {
            return "A comment ends where it begins"
        }
        guard rest.starts(with: "</".unicodeScalars), rest.dropFirst(2).first?.isLetter != true else { return nil }
        return "A </ stands before no element's name: write &lt;/"
    }

    /// At a `<` perhaps. Returns how much of it was read.
    private mutating func open(_ rest: Substring.UnicodeScalarView) -> Int {
        let next = rest.prefix(3).map { $0 }
        guard next[0] == "<", next.count > 1 else { return 1 }
        if rest.starts(with: "<!--".unicodeScalars) {
            place = .comment
            return 4
        }
        if next[1] == "!" || next[1] == "?" {
            place = .declaration
            return 2
        }
        let isEnd = next[1] == "/"
        guard isEnd || next[1].isLetter else { return 1 }
        (place, name) = (.tag(.name), isEnd ? "/" : "")
        return isEnd ? 2 : 1
    }

    private static func ends(_ element: String, at rest: Substring.UnicodeScalarView) -> Bool {
        let (end, length) = ("</" + element, element.unicodeScalars.count + 2)
        guard String(String.UnicodeScalarView(rest.prefix(length))).lowercased() == end else { return false }
        return rest.dropFirst(length).first.map { " \t\n\r\u{c}/>".unicodeScalars.contains($0) } ?? false
    }

    private mutating func readTag(_ scalar: Unicode.Scalar, at spot: Spot) -> String? {
        switch (scalar, spot) {
        case ("\"", .beforeValue), ("'", .beforeValue): place = .quotes(scalar)
        case ("\"", _), ("'", _): return "A quotation mark stands in a tag where no value begins"
        case (">", _):
            if Self.forbidden.contains(name) { return "The element \(name) has no place in a mail" }
            place = Self.raw.contains(name) ? .raw(name) : .between
        case ("<", _): return "A < stands inside of a tag"
        case ("=", .attribute), ("=", .afterAttribute): place = .tag(.beforeValue)
        case ("=", .value): break
        case ("=", _): return "An = stands in a tag where no attribute does"
        case (" ", _), ("\t", _), ("\n", _), ("\r", _):
            switch spot {
            case .name, .value: place = .tag(.beforeAttribute)
            case .attribute: place = .tag(.afterAttribute)
            case .beforeAttribute, .afterAttribute, .beforeValue: break
            }
        case ("/", .name), ("/", .attribute), ("/", .afterAttribute): place = .tag(.beforeAttribute)
        case ("/", .beforeAttribute), (_, .attribute), (_, .value): break
        case (_, .name): name += String(scalar).lowercased()
        case (_, .beforeAttribute), (_, .afterAttribute): place = .tag(.attribute)
        case (_, .beforeValue): place = .tag(.value)
        }
        return nil
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool { isASCII && properties.isAlphabetic }
}
