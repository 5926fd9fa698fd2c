/// A header field in lines of at most 76 characters, unless a word is longer. It consists of header
/// texts and of names that are constants, so nothing in it can begin another field (M6).
struct FoldedField {
    private static let maxColumns = 76
    /// The longest word that fits into a line after the space that begins it.
    private static let maxWordLength = maxColumns - 1

    /// The lines, each with its CRLF.
    var bytes: [UInt8] { Array((lines + "\r\n").utf8) }

    private var lines: String
    private var column: Int
    /// The columns that a word has on this line.
    private var room: Int { Self.maxColumns - column - 1 }

    private init(_ name: StaticString) {
        lines = "\(name):"
        column = lines.utf8.count
    }

    /// A field of any text, such as `Subject`. Source: RFC 5322, 3.2.5 (unstructured).
    init(_ name: StaticString, text: HeaderText) {
        self.init(name)
        let words = text.words(ofAtMost: Self.maxWordLength).flatMap { ($0.first?.length ?? 0) <= room ? $0 : nil }
        for word in words ?? EncodedWords(text, room: room).words { append(word) }
    }

    /// A field of words that have a meaning for programs and are never encoded, such as `Date`.
    init(_ name: StaticString, verbatim text: HeaderText) {
        self.init(name)
        for word in text.value.split(separator: " ") { append(HeaderText(String(word))) }
    }

    /// A field of one address, such as `From`. Source: RFC 5322, 3.4 (mailbox).
    init(_ name: StaticString, _ address: AddressSpec, named displayName: HeaderText? = nil) {
        self.init(name)
        if let displayName, !displayName.value.isEmpty {
            for word in displayName.phrase ?? EncodedWords(displayName, room: room).words { append(word) }
            append(HeaderText("<\(address)>"))
        } else {
            append(HeaderText(address.description))
        }
    }

    /// Appends a word after a space, which begins a new line if there is no room on this one.
    private mutating func append(_ word: HeaderText) {
        if word.length > room, lines.last != ":" {
            lines += "\r\n"
            column = 0
        }
        lines += " " + word.value
        column += 1 + word.length
    }
}

extension HeaderText {
    fileprivate var length: Int { value.utf8.count }

    /// The text as words of a display name, in quotation marks if its characters need them; nil if
    /// it must be encoded.
    fileprivate var phrase: [HeaderText]? {
        guard value.utf8.count <= 60, let words = words(ofAtMost: 60) else { return nil }
        guard !words.allSatisfy(\.isAtom) else { return words }
        return [HeaderText("\"" + value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\"")]
    }

    /// Source: RFC 5322, 3.2.3 (atom).
    private var isAtom: Bool {
        value.utf8.allSatisfy {
            switch UnicodeScalar($0) {
            case "a"..."z", "A"..."Z", "0"..."9", "!", "#", "$", "%", "&", "'", "*", "+", "-", "/", "=", "?", "^", "_", "`", "{", "|", "}",
                "~":
                true
            default: false
            }
        }
    }
}
