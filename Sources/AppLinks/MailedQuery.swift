internal import Base

/// The parameters of a link, without the changes that mail programs, encodings of mails and people
/// who copy links make (L6).
///
/// Only this type undoes such changes, before the link is parsed. It does not guess: it removes
/// what cannot belong to a value, and the rest is checked as if it had been sent.
public struct MailedQuery: Sendable {
    /// The parameters of known names, decoded; each pair once.
    public let items: [(name: String, value: String)]
    /// Whether anything was undone.
    public let isMended: Bool

    /// The kind of a value, which says what cannot belong to it.
    public enum Kind: Sendable, Hashable {
        /// Letters, digits, `-` and `_`; of one of these lengths, unless there are none.
        case token(lengths: Set<Int> = [])
        /// A token with full stops inside, such as the name of a package.
        case identifier
        case url
        case words
    }

    /// The number of parameters that are read.
    private static let maxCount = 64

    /// - Parameters:
    ///   - sent: the parameters, decoded once.
    ///   - kind: returns the kind of a parameter's value by its name; nil for unknown names, which
    ///     are left out.
    public init(_ sent: [(name: String, value: String)], kind: (String) -> Kind?) {
        let sent = sent.prefix(Self.maxCount)
        let split = sent.flatMap { Self.split($0, kind) }.filter { kind(WebURL.unescapedName($0.name)) != nil }.prefix(Self.maxCount)
        var read = split.compactMap { name, value in
            let name = WebURL.unescapedName(name)
            return kind(name).map { (name: name, value: value, kind: $0) }
        }
        // `=3D` is an equals sign in quoted-printable, in which a whole mail is written.
        let filled = read.filter { !$0.value.isEmpty }
        if filled.count > 1, filled.allSatisfy({ $0.value.hasPrefix("3D") }) {
            for index in read.indices where !read[index].value.isEmpty { read[index].value.removeFirst(2) }
        }
        var items: [(name: String, value: String)] = []
        for (name, value, kind) in read {
            let item = (name: name, value: kind.bare(value))
            if case .token = kind, item.value.isEmpty { continue }
            if !items.contains(where: { $0 == item }) { items.append(item) }
        }
        self.items = items
        // An empty token is left out as well, and so is a pair that comes twice, as in Firebase's
        // links.
        var known: [(name: String, value: String)] = []
        for item in sent where !known.contains(where: { $0 == item }) {
            switch kind(item.name) {
            case .token where item.value.isEmpty, nil: break
            default: known.append(item)
            }
        }
        isMended = !known.elementsEqual(items) { $0 == $1 }
    }

    /// The parameters in an item. A mail program may have escaped the separators of a whole query,
    /// so that one item contains several parameters.
    private static func split(_ item: (name: String, value: String), _ kind: (String) -> Kind?) -> [(name: String, value: String)] {
        let mayHoldOthers =
            switch kind(WebURL.unescapedName(item.name)) {
            case .token, .identifier: item.value.utf8.contains(UInt8(ascii: "&"))
            case .url, .words: false
            case nil: item.name.utf8.contains(UInt8(ascii: "="))
            }
        guard mayHoldOthers else { return [item] }
        return WebURL.formItems(in: item.value.isEmpty ? item.name : item.name + "=" + item.value)
    }
}

extension MailedQuery.Kind {
    /// The value without what cannot belong to it. One with something else inside stays as it is,
    /// and is refused by its own rules.
    fileprivate func bare(_ value: String) -> String {
        switch self {
        case .words: return value
        case .url: return value.withoutBlanksAround
        case .identifier: return Self.start(of: value) { $0.isPartOfToken || $0 == "." }.without(last: ".")
        case .token(let lengths):
            let start = Self.start(of: value, while: \.isPartOfToken)
            guard !lengths.isEmpty, !lengths.contains(start.utf8.count) else { return start }
            // Quoted-printable breaks a line after `=`. The browser removed only the line break.
            let joined = value.withoutBlanks.filter { $0 != "=" }
            if lengths.contains(joined.count), joined.allSatisfy(\.isPartOfToken) { return String(joined) }
            return start.hasPrefix("3D") && lengths.contains(start.utf8.count - 2) ? String(start.dropFirst(2)) : start
        }
    }

    /// The scalars at the start of a value that belong to it. The whole value if the rest was not
    /// added to the link.
    private static func start(of value: String, while belongs: (Unicode.Scalar) -> Bool) -> String {
        if value.unicodeScalars.allSatisfy(belongs) { return value }
        let scalars = value.withoutBlanks
        let end = scalars.firstIndex { !belongs($0) } ?? scalars.endIndex
        return isAdded(scalars[end...]) ? String(scalars[..<end]) : value
    }

    /// Whether the rest of a value is punctuation, the tags or the Markdown around a link, or line
    /// breaks in quoted-printable.
    private static func isAdded(_ rest: Substring.UnicodeScalarView) -> Bool {
        var rest = rest
        while let first = rest.popFirst() {
            if first == "<" || first == ">" || first == "]" && rest.first == "(" { return true }
            if first == "=", rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(\.properties.isASCIIHexDigit) {
                rest.removeFirst(2)
            } else if first.properties.isAlphabetic || first.isPartOfToken {
                return false
            }
        }
        return true
    }
}

extension Unicode.Scalar {
    fileprivate var isPartOfToken: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }

    /// Whether nothing of it is seen: a space, a line break, or a mark of no width.
    fileprivate var isBlank: Bool {
        properties.isWhitespace || [.control, .format].contains(properties.generalCategory)
    }
}

extension String {
    /// Without blanks, and without equals signs before them: soft line breaks of quoted-printable.
    fileprivate var withoutBlanks: Substring.UnicodeScalarView {
        var kept = UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isBlank {
                while kept.last == "=" { kept.removeLast() }
            } else {
                kept.append(scalar)
            }
        }
        return kept[...]
    }

    fileprivate var withoutBlanksAround: String {
        var rest = unicodeScalars[...]
        while rest.last?.isBlank == true { rest.removeLast() }
        while rest.first?.isBlank == true { rest.removeFirst() }
        return String(rest)
    }

    fileprivate func without(last character: Character) -> String {
        var rest = self
        while rest.last == character { rest.removeLast() }
        return rest
    }
}
