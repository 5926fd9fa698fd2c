extension JSON {
    /// The deepest nesting of arrays and objects that is read.
    package static let maxDepth = 32

    /// Why a text was refused, and where. Never repeats the text.
    package struct Malformed: Error, Sendable, Hashable {
        package enum Fault: String, Sendable, CaseIterable {
            case unexpected = "Unexpected token"
            case ended = "Unexpected end"
            case tooDeep = "Nested too deeply"
            /// Readers differ in which of two members with one name they take.
            case repeatedName = "Repeated name"
            case notUTF8 = "Not UTF-8"
            /// An escaped half of a surrogate pair without its other half.
            case loneSurrogate = "Lone surrogate"
        }

        package let fault: Fault
        /// In bytes from the start of the text.
        package let offset: Int

        init(fault: Fault, offset: Int) {
            self.fault = fault
            self.offset = offset
        }
    }

    /// Reads bytes that are exactly one JSON text, in one pass.
    ///
    /// Source: RFC 8259, without what it leaves to the reader: no byte order mark, no repeated
    /// names, no unpaired surrogates, no nesting deeper than `maxDepth`.
    package init(_ bytes: [UInt8]) throws(Malformed) {
        var reader = Reader(bytes: bytes)
        self = try reader.text()
    }
}

/// The recursive descent over the bytes of one JSON text.
private struct Reader {
    let bytes: [UInt8]
    var offset = 0
    var depth = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func text() throws(JSON.Malformed) -> JSON {
        let value = try value()
        skipSpace()
        guard offset == bytes.count else { throw fault(.unexpected) }
        return value
    }

    private mutating func value() throws(JSON.Malformed) -> JSON {
        skipSpace()
        switch try peek() {
        case UInt8(ascii: "{"): return try nested { reader throws(JSON.Malformed) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(JSON.Malformed) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested(_ read: (inout Reader) throws(JSON.Malformed) -> JSON) throws(JSON.Malformed) -> JSON {
        guard depth < JSON.maxDepth else { throw fault(.tooDeep) }
        depth += 1
        offset += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSON.Malformed) -> JSON {
        var members: [JSON.Member] = []
        var names: Set<String> = []
        try items(until: "}") { (reader) throws(JSON.Malformed) in
            reader.skipSpace()
            let start = reader.offset
            let name = try reader.string()
            guard names.insert(name).inserted else { throw JSON.Malformed(fault: .repeatedName, offset: start) }
            reader.skipSpace()
            try reader.expect(":")
            members.append(JSON.Member(name: name, value: try reader.value()))
        }
        return .object(members)
    }

    private mutating func array() throws(JSON.Malformed) -> JSON {
        var values: [JSON] = []
        try items(until: "]") { (reader) throws(JSON.Malformed) in values.append(try reader.value()) }
        return .array(values)
    }

    /// Reads items with commas between them, up to and including the closing bracket.
    private mutating func items(
        until end: Unicode.Scalar, _ read: (inout Reader) throws(JSON.Malformed) -> Void
    ) throws(JSON.Malformed) {
        skipSpace()
        if take(end) { return }
        repeat {
            try read(&self)
            skipSpace()
        } while take(",")
        try expect(end)
    }

    private mutating func word(_ word: String, _ value: JSON) throws(JSON.Malformed) -> JSON {
        for scalar in word.unicodeScalars { try expect(scalar) }
        return value
    }

    private mutating func number() throws(JSON.Malformed) -> JSON {
        let start = offset
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            try digits()
        }
        return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }

    private mutating func digits() throws(JSON.Malformed) {
        let start = offset
        while offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) { offset += 1 }
        guard offset > start else { throw fault(offset < bytes.count ? .unexpected : .ended) }
    }

    private mutating func string() throws(JSON.Malformed) -> String {
        try expect("\"")
        let start = offset
        var decoded: ArraySlice<UInt8> = try plainBytes()
        while take("\\") {
            decoded.append(contentsOf: UTF8.encode(try escaped()) ?? UTF8.encodedReplacementCharacter)
            decoded.append(contentsOf: try plainBytes())
        }
        guard take("\"") else { throw fault(.unexpected) }
        guard let string = String(validating: decoded, as: UTF8.self) else { throw JSON.Malformed(fault: .notUTF8, offset: start) }
        return string
    }

    /// The bytes up to the next escape or the end of the string.
    private mutating func plainBytes() throws(JSON.Malformed) -> ArraySlice<UInt8> {
        let start = offset
        while try peek() >= 0x20, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\") { offset += 1 }
        return bytes[start..<offset]
    }

    private mutating func escaped() throws(JSON.Malformed) -> Unicode.Scalar {
        let start = offset
        let letter = Unicode.Scalar(try peek())
        offset += 1
        switch letter {
        case "\"", "\\", "/": return letter
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u": return try escapedScalar(from: start)
        default: throw JSON.Malformed(fault: .unexpected, offset: start)
        }
    }

    private mutating func escapedScalar(from start: Int) throws(JSON.Malformed) -> Unicode.Scalar {
        var units = [try codeUnit()]
        if UTF16.isLeadSurrogate(units[0]), bytes[offset...].starts(with: "\\u".utf8) {
            offset += 2
            units.append(try codeUnit())
        }
        guard let scalars = String(validating: units, as: UTF16.self)?.unicodeScalars, scalars.count == 1, let scalar = scalars.first else {
            throw JSON.Malformed(fault: .loneSurrogate, offset: start)
        }
        return scalar
    }

    private mutating func codeUnit() throws(JSON.Malformed) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(try peek())).hexDigitValue else { throw fault(.unexpected) }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    private mutating func skipSpace() {
        while offset < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[offset]) { offset += 1 }
    }

    private func peek() throws(JSON.Malformed) -> UInt8 {
        guard offset < bytes.count else { throw fault(.ended) }
        return bytes[offset]
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: scalar) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ scalar: Unicode.Scalar) throws(JSON.Malformed) {
        guard take(scalar) else { throw fault(offset < bytes.count ? .unexpected : .ended) }
    }

    private func fault(_ fault: JSON.Malformed.Fault) -> JSON.Malformed { JSON.Malformed(fault: fault, offset: offset) }
}
