/// A field line, split and checked. Source: RFC 9112 §5.
struct FieldLine {
    let name: Bytes
    /// Without the whitespace around it; free of controls, because no line with any gets this far.
    let value: Bytes

    /// Refuses folded lines and space before the colon too: neither space is a token character.
    init(_ line: Bytes) throws(Rejection) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw .badField }
        name = line.part(..<colon)
        guard name.isAll(Grammar.token) else { throw .badField }
        value = line.part((colon + 1)...).trimmed
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
