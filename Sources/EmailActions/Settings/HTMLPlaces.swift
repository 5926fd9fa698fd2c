/// Where the placeholders of an HTML body stand, as a browser's tokenizer would say. Escaping makes a value harmless between elements and
/// in quotes, but nowhere else; so elsewhere none is allowed, and what browsers might read in two ways is refused.
/// Source: HTML, 13.2.5 Tokenization.
struct HTMLPlaces {
    private enum Place: Equatable {
        case between
        /// Inside of a tag; with what the last character was that is no space.
        case tag(after: Unicode.Scalar)
        case quotes(Unicode.Scalar)
        case comment
        /// `<!doctype …>` and the like, up to the next `>`.
        case declaration
        /// In an element whose content is no markup, up to its end tag.
        case raw(String)
    }

    /// What could hold a script, or reads its content by rules of its own.
    private static let forbidden: Set = [
        "script", "iframe", "object", "embed", "noscript", "xmp", "noembed", "noframes", "plaintext", "textarea", "template", "svg", "math",
        "base",
    ]
    private static let raw: Set = ["style", "title"]

    private var place = Place.between
    /// Lower-cased, of the tag that is being read; with its `/` if it ends an element.
    private var name = ""
    private var isNamed = false

    /// Why values could not safely be put in; nil where they can.
    static func objection(to pieces: [LetterTemplate.Piece]) -> String? {
        var places = HTMLPlaces()
        var endsOpen = false
        for piece in pieces {
            switch piece {
            case .words(let words):
                endsOpen = words.hasSuffix("<") || words.hasSuffix("</")
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
            case .between: length = open(rest)
            case .comment:
                if rest.starts(with: "-->".unicodeScalars) { (place, length) = (.between, 3) }
            case .declaration:
                if scalar == ">" { place = .between }
            case .quotes(let quote):
                if scalar == quote { place = .tag(after: quote) }
            case .raw(let element):
                if Self.ends(element, at: rest) { length = open(rest) }
            case .tag(let last):
                if let objection = readTag(scalar, after: last) { return objection }
            }
            rest = rest.dropFirst(length)
        }
        return nil
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
        guard isEnd ? next.count > 2 && next[2].isLetter : next[1].isLetter else { return 1 }
        (place, name, isNamed) = (.tag(after: "<"), isEnd ? "/" : "", false)
        return isEnd ? 2 : 1
    }

    private static func ends(_ element: String, at rest: Substring.UnicodeScalarView) -> Bool {
        let (end, length) = ("</" + element, element.unicodeScalars.count + 2)
        guard String(String.UnicodeScalarView(rest.prefix(length))).lowercased() == end else { return false }
        return rest.dropFirst(length).first.map { " \t\n\r\u{c}/>".unicodeScalars.contains($0) } ?? false
    }

    private mutating func readTag(_ scalar: Unicode.Scalar, after last: Unicode.Scalar) -> String? {
        switch scalar {
        case "\"", "'":
            guard last == "=" else { return "A quotation mark stands in a tag where no value begins" }
            place = .quotes(scalar)
        case ">":
            if Self.forbidden.contains(name) { return "The element \(name) has no place in a mail" }
            place = Self.raw.contains(name) ? .raw(name) : .between
        case "<": return "A < stands inside of a tag"
        case "=" where last == "=": return "Two = stand side by side in a tag"
        case " ", "\t", "\n", "\r", "\u{c}": isNamed = true
        case "/": (place, isNamed) = (.tag(after: scalar), true)
        default:
            if !isNamed { name += String(scalar).lowercased() }
            place = .tag(after: scalar)
        }
        if scalar == "=" { place = .tag(after: "=") }
        return nil
    }
}

extension Unicode.Scalar {
    fileprivate var isLetter: Bool { isASCII && properties.isAlphabetic }
}
