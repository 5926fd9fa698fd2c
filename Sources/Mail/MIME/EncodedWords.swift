import Foundation

/// A header text as encoded words, each at most 75 characters long, with no code point in two
/// words. Source: RFC 2047.
struct EncodedWords {
    private enum Encoding: String { case base64 = "B", quoted = "Q" }

    /// `=?utf-8?Q?` and `?=`.
    private static let frame = 12
    private static let maxLength = 75

    let words: [HeaderText]

    /// - Parameter room: the columns that the first word has on its line, at least 24.
    init(_ text: HeaderText, room: Int) {
        let bytes = text.value.utf8
        let isQuoted = bytes.reduce(0) { $0 + $1.quotedLength } <= Self.base64Length(bytes.count)
        let encoding = isQuoted ? Encoding.quoted : .base64
        var (words, word, size) = ([HeaderText](), [UInt8](), 0)
        var limit = min(room, Self.maxLength) - Self.frame
        for scalar in text.value.unicodeScalars {
            let bytes = String(scalar).utf8
            let added = isQuoted ? bytes.reduce(0) { $0 + $1.quotedLength } : bytes.count
            if (isQuoted ? size + added : Self.base64Length(size + added)) > limit {
                words.append(Self.encoded(word, encoding))
                (word, size, limit) = ([], 0, Self.maxLength - Self.frame)
            }
            word += bytes
            size += added
        }
        self.words = word.isEmpty ? words : words + [Self.encoded(word, encoding)]
    }

    private static func base64Length(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    private static func encoded(_ bytes: [UInt8], _ encoding: Encoding) -> HeaderText {
        let text =
            switch encoding {
            case .base64: Data(bytes).base64EncodedString()
            case .quoted: bytes.map(\.quoted).joined()
            }
        return HeaderText("=?utf-8?\(encoding.rawValue)?\(text)?=")
    }
}

extension UInt8 {
    /// Whether the byte may be itself in an encoded word, also in one of a name beside an address.
    /// Source: RFC 2047, 5 (3).
    private var isLiteral: Bool {
        switch UnicodeScalar(self) {
        case "a"..."z", "A"..."Z", "0"..."9", "!", "*", "+", "-", "/": true
        default: false
        }
    }

    fileprivate var quotedLength: Int { isLiteral || self == UInt8(ascii: " ") ? 1 : 3 }

    fileprivate var quoted: String {
        if self == UInt8(ascii: " ") { return "_" }
        guard !isLiteral else { return String(UnicodeScalar(self)) }
        return String(decoding: [UInt8(ascii: "="), (self >> 4).hexadecimalDigit, (self & 0xf).hexadecimalDigit], as: UTF8.self)
    }
}
