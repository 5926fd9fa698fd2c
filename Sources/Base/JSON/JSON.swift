/// A JSON value. Numbers keep the text they were sent as, so that 64-bit integers lose nothing, and
/// objects keep the order of their members.
public enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    public struct Member: Sendable, Equatable {
        public let name: String
        public let value: JSON

        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }

        /// Compares bytes. Swift compares strings by their canonical equivalence, which takes a
        /// long time for texts that were made for it.
        public func isNamed(_ name: String) -> Bool {
            guard self.name.utf8.count == name.utf8.count else { return false }
            return self.name.utf8.withContiguousStorageIfAvailable { own in
                name.utf8.withContiguousStorageIfAvailable { own.elementsEqual($0) } ?? own.elementsEqual(name.utf8)
            } ?? self.name.utf8.elementsEqual(name.utf8)
        }

        /// A hash of the bytes of a name, different in each process.
        static func hash(of name: String) -> Int {
            var hasher = Hasher()
            _ = name.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            return hasher.finalize()
        }
    }

    /// Makes an object of the members that are not nil. SDKs tell an absent member from a null.
    public static func object(_ members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    public static func int(_ number: Int) -> JSON { .number(String(number)) }

    /// Nil for nil, so that `object(_:)` leaves the member out.
    public static func string(ifAny string: String?) -> JSON? { string.map { .string($0) } }

    /// The first member of an object with this name; nil if there is none, or if this is not an
    /// object.
    public subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.isNamed(name) }?.value
    }

    /// The text of a string; nil for every other value.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The items of an array; nil for every other value.
    public var items: [JSON]? { if case .array(let items) = self { items } else { nil } }

    /// The JSON text, without spaces.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The JSON text in UTF-8.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let bool): bytes += (bool ? "true" : "false").utf8
        case .number(let number): bytes += number.utf8
        case .string(let string): Self.append(quoted: string, to: &bytes)
        case .array(let items):
            Self.append(items, between: ("[", "]"), to: &bytes) { $0.append(to: &$1) }
        case .object(let members):
            Self.append(members, between: ("{", "}"), to: &bytes) { member, bytes in
                Self.append(quoted: member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
        }
    }

    private static func append<T>(
        _ items: [T], between brackets: (Unicode.Scalar, Unicode.Scalar), to bytes: inout [UInt8],
        _ append: (T, inout [UInt8]) -> Void
    ) {
        bytes.append(UInt8(ascii: brackets.0))
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            append(item, &bytes)
        }
        bytes.append(UInt8(ascii: brackets.1))
    }

    /// Also escapes `<`, `>`, `&` and line separators, so that the text is inert inside HTML and
    /// scripts.
    private static func append(quoted string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        if string.utf8.allSatisfy(isInert) {
            bytes += string.utf8
        } else {
            for scalar in string.unicodeScalars { append(scalar, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: scalar)]
        case "<", ">", "&", "\u{2028}", "\u{2029}", "\u{0}"..."\u{1f}", "\u{7f}":
            let hex = String(scalar.value, radix: 16)
            bytes += "\\u\(String(repeating: "0", count: 4 - hex.utf8.count))\(hex)".utf8
        default: bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        }
    }

    /// Whether a byte of UTF-8 needs no escape, whatever surrounds it.
    private static func isInert(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "\"", "\\", "<", ">", "&": false
        default: (0x20..<0x7f).contains(byte)
        }
    }
}

extension JSON: ExpressibleByStringLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
}
