/// A field line, split and checked. Source: RFC 9112 §5.
struct FieldLine {
    let name: Bytes
    /// Without the whitespace around it; free of controls, because no line with any gets this far.
    let value: Bytes

    /// Refuses folded lines and space before the colon too: neither space is a token character.
    init(_ line: Bytes) throws(Rejection) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .badField }
        name = line.part(..<colon)
        guard name.isAll(Grammar.token), !Self.isDisguised(name) else { throw .badField }
        value = line.part((colon + 1)...).trimmed
    }

    /// `Content_Length`, `Transfer--Encoding`: nobody means them, and a reader behind or before us may take them for the real ones.
    private static func isDisguised(_ name: Bytes) -> Bool {
        guard name.count >= 13, name[0] | 0x20 == UInt8(ascii: "c") || name[0] | 0x20 == UInt8(ascii: "t") else { return false }
        let letters = name.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
        return letters.withUnsafeBufferPointer { letters in
            letters.isEqual(ignoringCase: "contentlength") && !name.isEqual(ignoringCase: "content-length")
                || letters.isEqual(ignoringCase: "transferencoding") && !name.isEqual(ignoringCase: "transfer-encoding")
        }
    }

    /// The fields that frame or route a message, and are therefore the parser's own business.
    enum Role {
        case host, contentLength, transferEncoding, connection, expect, payload
    }

    var role: Role {
        switch name.count {
        case 4 where name.isEqual(ignoringCase: "host"): .host
        case 6 where name.isEqual(ignoringCase: "expect"): .expect
        case 10 where name.isEqual(ignoringCase: "connection"): .connection
        case 14 where name.isEqual(ignoringCase: "content-length"): .contentLength
        case 17 where name.isEqual(ignoringCase: "transfer-encoding"): .transferEncoding
        default: .payload
        }
    }
}
