/// A field line, split into name and value and checked. Source: RFC 9112 §5.
struct FieldLine {
    let name: UnsafeBytes
    /// The value without surrounding whitespace. It contains no control characters, because the
    /// parser refuses a line with any.
    let value: UnsafeBytes

    /// Splits and checks a line. A folded line and a space before the colon are refused too,
    /// because a space is not a token character.
    init(_ line: UnsafeBytes) throws(Rejection) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .badField }
        name = line.part(..<colon)
        guard name.isAll(Grammar.token), !Self.isDisguised(name) else { throw .badField }
        value = line.part((colon + 1)...).trimmed
    }

    /// Whether the name is a variant of Content-Length or Transfer-Encoding, such as
    /// `Content_Length`, which a proxy or backend may take for the real one (request smuggling).
    private static func isDisguised(_ name: UnsafeBytes) -> Bool {
        guard name.count >= 13, name[0] | 0x20 == UInt8(ascii: "c") || name[0] | 0x20 == UInt8(ascii: "t") else { return false }
        let letters = name.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        return letters.withUnsafeBufferPointer { letters in
            letters.isEqual(ignoringCase: "contentlength") && !name.isEqual(ignoringCase: "content-length")
                || letters.isEqual(ignoringCase: "transferencoding") && !name.isEqual(ignoringCase: "transfer-encoding")
        }
    }

    /// How the parser handles a field: fields that frame or route the message are interpreted, all
    /// others are passed on to the application.
    enum Kind {
        case host, contentLength, transferEncoding, connection, expect, application
    }

    var kind: Kind {
        switch name.count {
        case 4 where name.isEqual(ignoringCase: "host"): .host
        case 6 where name.isEqual(ignoringCase: "expect"): .expect
        case 10 where name.isEqual(ignoringCase: "connection"): .connection
        case 14 where name.isEqual(ignoringCase: "content-length"): .contentLength
        case 17 where name.isEqual(ignoringCase: "transfer-encoding"): .transferEncoding
        default: .application
        }
    }
}
