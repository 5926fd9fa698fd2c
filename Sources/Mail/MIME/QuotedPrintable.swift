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
        text.withUTF8 { bytes in
            self.bytes.reserveCapacity(bytes.count * 5 / 4)
            var rest = bytes[...]
            while !rest.isEmpty {
                let run = rest.prefix(Self.maxColumns - column).prefix(while: \.isAlwaysLiteral)
                if !run.isEmpty {
                    self.bytes += run
                    column += run.count
                    rest = rest.dropFirst(run.count)
                } else if let length = Self.lineBreak(at: rest) {
                    endLine()
                    rest = rest.dropFirst(length)
                } else {
                    let length = Self.scalarLength(rest[rest.startIndex])
                    append(rest.prefix(length), before: rest.dropFirst(length))
                    rest = rest.dropFirst(length)
                }
            }
        }
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private mutating func endLine() {
        bytes += [0x0d, 0x0a]
        column = 0
    }

    private mutating func append(_ scalar: Bytes, before rest: Bytes) {
        var isLiteral = isLiteral(scalar, before: rest)
        if column + (isLiteral ? 1 : 3 * scalar.count) > Self.maxColumns {
            bytes.append(UInt8(ascii: "="))
            endLine()
            isLiteral = self.isLiteral(scalar, before: rest)
        }
        if isLiteral {
            bytes += scalar
            column += 1
        } else {
            for byte in scalar {
                bytes.append(UInt8(ascii: "="))
                bytes.append((byte >> 4).hexadecimalDigit)
                bytes.append((byte & 0xf).hexadecimalDigit)
            }
            column += 3 * scalar.count
        }
    }

    private func isLiteral(_ scalar: Bytes, before rest: Bytes) -> Bool {
        switch UnicodeScalar(scalar[scalar.startIndex]) {
        case "=": false
        case " ", "\t": !rest.isEmpty && Self.lineBreak(at: rest) == nil
        case ".": column > 0
        case "F": column > 0 || !rest.starts(with: "rom ".utf8)
        case "!"..."~": true
        default: false
        }
    }

    /// The length of the line break at the start of the bytes; nil if there is none.
    private static func lineBreak(at rest: Bytes) -> Int? {
        if rest.first == 0x0a { return 1 }
        return rest.starts(with: [0x0d, 0x0a]) ? 2 : nil
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
        (0x21...0x7e).contains(self) && self != UInt8(ascii: "=") && self != UInt8(ascii: ".") && self != UInt8(ascii: "F")
    }

    /// The digit of a number below 16, in upper case.
    var hexadecimalDigit: UInt8 { self < 10 ? UInt8(ascii: "0") + self : UInt8(ascii: "A") + self - 10 }
}
