/// A text in quoted-printable: ASCII lines of at most 76 characters that every relay passes on
/// unchanged. Source: RFC 2045, 6.7.
///
/// It also encodes what relays and mail folders change although they should not: a dot at the start
/// of a line, and `From ` there. No code point is on two lines, and `=_` never occurs, so that a
/// boundary that contains it occurs in no text.
struct QuotedPrintable {
    /// Without the `=` of a soft line break.
    private static let maxColumns = 75

    private(set) var bytes: [UInt8] = []
    private var column = 0

    /// Encodes a text whose lines end in LF or CRLF. A CR by itself is a character of its line.
    init(_ text: String) {
        var text = text
        text.withUTF8 { source in
            bytes.reserveCapacity(source.count * 5 / 4)
            var index = 0
            while index < source.count {
                if source[index].isAlwaysLiteral, column < Self.maxColumns {
                    bytes.append(source[index])
                    column += 1
                    index += 1
                } else if let length = Self.lineBreak(in: source, at: index) {
                    endLine()
                    index += length
                } else {
                    let end = index + Self.scalarLength(source[index])
                    append(source, index, end)
                    index = end
                }
            }
        }
    }

    private typealias Bytes = UnsafeBufferPointer<UInt8>

    private mutating func endLine() {
        bytes.append(0x0d)
        bytes.append(0x0a)
        column = 0
    }

    /// Appends the code point from `start` to `end`.
    private mutating func append(_ source: Bytes, _ start: Int, _ end: Int) {
        var isLiteral = isLiteral(source, start)
        if column + (isLiteral ? 1 : 3 * (end - start)) > Self.maxColumns {
            bytes.append(UInt8(ascii: "="))
            endLine()
            isLiteral = self.isLiteral(source, start)
        }
        guard !isLiteral else {
            bytes.append(source[start])
            column += 1
            return
        }
        for index in start..<end {
            bytes.append(UInt8(ascii: "="))
            bytes.append((source[index] >> 4).hexadecimalDigit)
            bytes.append((source[index] & 0xf).hexadecimalDigit)
        }
        column += 3 * (end - start)
    }

    private func isLiteral(_ source: Bytes, _ index: Int) -> Bool {
        switch UnicodeScalar(source[index]) {
        case "=": false
        case " ", "\t": index + 1 < source.count && Self.lineBreak(in: source, at: index + 1) == nil
        case ".": column > 0
        case "F": column > 0 || !source[(index + 1)...].starts(with: "rom ".utf8)
        case "!"..."~": true
        default: false
        }
    }

    /// The length of the line break at a position; nil if there is none.
    private static func lineBreak(in source: Bytes, at index: Int) -> Int? {
        if source[index] == 0x0a { return 1 }
        return source[index] == 0x0d && index + 1 < source.count && source[index + 1] == 0x0a ? 2 : nil
    }

    private static func scalarLength(_ first: UInt8) -> Int {
        switch first {
        case 0xf0...: 4
        case 0xe0...: 3
        case 0xc0...: 2
        default: 1
        }
    }
}

extension UInt8 {
    /// Whether the byte stands for itself wherever it is in a line.
    fileprivate var isAlwaysLiteral: Bool {
        self >= 0x21 && self <= 0x7e && self != UInt8(ascii: "=") && self != UInt8(ascii: ".") && self != UInt8(ascii: "F")
    }

    /// The digit of a number below 16, in upper case.
    var hexadecimalDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
}
