extension JSON {
    /// The limits of a text that is read (V4). Within them, 64 KB are read in less than a
    /// millisecond.
    public struct ReadingLimits: Sendable, Hashable {
        /// The deepest nesting of arrays and objects.
        public var maxDepth = 32
        /// The number of members of one object.
        public var maxMembers = 256
        /// The number of all values in the text, those inside of others included.
        public var maxValues = 200_000

        public init() {}

        public init(maxMembers: Int, maxValues: Int) {
            self.maxMembers = maxMembers
            self.maxValues = maxValues
        }
    }

    /// Why a text was refused, and where. Never repeats the text.
    public struct Malformed: Error, Sendable, Hashable {
        public enum Fault: String, Sendable, CaseIterable {
            case unexpected = "Unexpected token"
            case ended = "Unexpected end"
            case tooDeep = "Nested too deeply"
            case tooManyMembers = "Too many members"
            case tooManyValues = "Too many values"
            /// Readers differ in which of two members with one name they take.
            case repeatedName = "Repeated name"
            case notUTF8 = "Not UTF-8"
            /// An escaped half of a surrogate pair without its other half.
            case loneSurrogate = "Lone surrogate"
        }

        public let fault: Fault
        /// In bytes from the start of the text.
        public let offset: Int

        init(fault: Fault, offset: Int) {
            self.fault = fault
            self.offset = offset
        }
    }

    /// Reads bytes that are exactly one JSON text, in one pass, which ends at the first fault.
    ///
    /// Source: RFC 8259, without what it leaves to the reader: no byte order mark, no repeated
    /// names, no unpaired surrogates, nothing beyond `limits`.
    public init(_ bytes: [UInt8], within limits: ReadingLimits = ReadingLimits()) throws(Malformed) {
        self = try bytes.withUnsafeBufferPointer { bytes throws(Malformed) in
            var reader = Reader(bytes: bytes, limits: limits)
            return try reader.text()
        }
    }
}

/// The recursive descent over the bytes of one JSON text.
private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    let limits: JSON.ReadingLimits
    var offset = 0
    var depth = 0
    var valueCount = 0

    init(bytes: UnsafeBufferPointer<UInt8>, limits: JSON.ReadingLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func text() throws(JSON.Malformed) -> JSON {
        let value = try value()
        skipSpace()
        guard offset == bytes.count else { throw fault(.unexpected) }
        return value
    }

    private mutating func value() throws(JSON.Malformed) -> JSON {
        skipSpace()
        valueCount += 1
        guard valueCount <= limits.maxValues else { throw fault(.tooManyValues) }
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
        guard depth < limits.maxDepth else { throw fault(.tooDeep) }
        depth += 1
        offset += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func object() throws(JSON.Malformed) -> JSON {
        var members: [JSON.Member] = []
        // Looking through a few numbers takes less time than a set of names.
        var hashes: [Int] = []
        try items(until: "}") { (reader) throws(JSON.Malformed) in
            reader.skipSpace()
            let start = reader.offset
            guard members.count < reader.limits.maxMembers else { throw reader.fault(.tooManyMembers) }
            let name = try reader.string()
            let hash = JSON.Member.hash(of: name)
            guard !hashes.contains(hash) || !members.contains(where: { $0.isNamed(name) }) else {
                throw JSON.Malformed(fault: .repeatedName, offset: start)
            }
            hashes.append(hash)
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

    private mutating func word(_ word: StaticString, _ value: JSON) throws(JSON.Malformed) -> JSON {
        for index in 0..<word.utf8CodeUnitCount { try expect(Unicode.Scalar(word.utf8Start[index])) }
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
        return .number(String(decoding: part(start..<offset), as: UTF8.self))
    }

    private mutating func digits() throws(JSON.Malformed) {
        let start = offset
        while offset < bytes.count, 0x30...0x39 ~= bytes[offset] { offset += 1 }
        guard offset > start else { throw fault(offset < bytes.count ? .unexpected : .ended) }
    }

    private mutating func string() throws(JSON.Malformed) -> String {
        try expect("\"")
        let start = offset
        try skipPlainBytes()
        guard bytes[offset] == UInt8(ascii: "\\") else { return try end(of: part(start..<offset), from: start) }
        var decoded = Array(part(start..<offset))
        while take("\\") {
            UTF8.encode(try escaped()).map { decoded.append(contentsOf: $0) }
            let plain = offset
            try skipPlainBytes()
            decoded.append(contentsOf: part(plain..<offset))
        }
        return try decoded.withUnsafeBufferPointer { decoded throws(JSON.Malformed) in try end(of: decoded, from: start) }
    }

    /// Reads the closing quotation mark of a string.
    private mutating func end(of decoded: UnsafeBufferPointer<UInt8>, from start: Int) throws(JSON.Malformed) -> String {
        guard take("\"") else { throw fault(.unexpected) }
        guard let text = try? UTF8Span(validating: decoded.span) else { throw JSON.Malformed(fault: .notUTF8, offset: start) }
        return String(copying: text)
    }

    /// Skips to the next escape, the end of the string, or a byte that a string must not have.
    private mutating func skipPlainBytes() throws(JSON.Malformed) {
        while try peek() >= 0x20, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\") { offset += 1 }
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
        var code = UInt32(try codeUnit())
        if UTF16.isLeadSurrogate(UInt16(code)), offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        {
            offset += 2
            let trail = try codeUnit()
            if UTF16.isTrailSurrogate(trail) { code = 0x1_0000 + (code - 0xD800) << 10 + (UInt32(trail) - 0xDC00) }
        }
        // Half of a pair is not a scalar.
        guard let scalar = Unicode.Scalar(code) else { throw JSON.Malformed(fault: .loneSurrogate, offset: start) }
        return scalar
    }

    private mutating func codeUnit() throws(JSON.Malformed) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch try peek() {
            case let byte where 0x30...0x39 ~= byte: digit = byte - 0x30
            case let byte where 0x41...0x46 ~= byte: digit = byte - 0x37
            case let byte where 0x61...0x66 ~= byte: digit = byte - 0x57
            default: throw fault(.unexpected)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }

    private mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0a, 0x0d: offset += 1
            default: return
            }
        }
    }

    private func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[range]) }

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
