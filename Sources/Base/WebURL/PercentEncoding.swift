/// A percent-encode set of the URL standard: the characters that are encoded in one part of a URL.
/// Source: https://url.spec.whatwg.org/#percent-encoded-bytes
struct PercentEncoding {
    /// One bit for each ASCII character.
    private let escaped: UInt128

    /// The set for fragments. `%` is not encoded, because existing encodings are kept; `#`, `?` and
    /// white space cannot occur.
    static let fragment = PercentEncoding(escaping: "\"<>`")
    static let query = PercentEncoding(escaping: "\"<>'")
    static let appQuery = PercentEncoding(escaping: "\"<>")
    static let path = PercentEncoding(escaping: "\"<>^`{}")

    private init(escaping characters: String) { escaped = characters.utf8.reduce(0) { $0 | 1 << UInt128($1) } }

    private func isUnescaped(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && escaped >> UInt128(scalar.value) & 1 == 0 }

    func encode(_ text: WebURL.Characters) -> String {
        if text.allSatisfy({ isUnescaped($0) }) { return text.ascii }
        return text.reduce(into: "") { result, scalar in
            if isUnescaped(scalar) { result.unicodeScalars.append(scalar) } else { Self.append(scalar, to: &result) }
        }
    }

    static func append(_ scalar: Unicode.Scalar, to text: inout String) {
        for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
            text += byte < 16 ? "%0" : "%"
            text += String(byte, radix: 16, uppercase: true)
        }
    }
}

extension WebURL {
    /// Encodes a parameter's name or value. Only the unreserved characters of RFC 3986 are kept, so
    /// that neither `+` nor a second decoding changes it (SDKs split links at `=` and `&` after
    /// decoding).
    public static func percentEncoded(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isASCIIAlphanumeric || scalar == "-" || scalar == "." || scalar == "_" || scalar == "~" {
                result.unicodeScalars.append(scalar)
            } else {
                PercentEncoding.append(scalar, to: &result)
            }
        }
    }

    /// The query's parameters in order, decoded exactly once (L8). `+` becomes a space and invalid
    /// UTF-8 becomes U+FFFD. Source: https://url.spec.whatwg.org/#urlencoded-parsing
    public var queryItems: [(name: String, value: String)] {
        query.map { Self.formItems(in: $0) } ?? []
    }

    /// Decodes the first parameters of a query or of a form's body like `queryItems`.
    public static func formItems(in text: String, atMost limit: Int = .max) -> [(name: String, value: String)] {
        var text = text
        return text.withUTF8 { $0.split(separator: UInt8(ascii: "&"), maxSplits: limit).prefix(limit).map(formDecoded) }
    }

    /// Decodes a name or a value like `queryItems`.
    public static func formDecoded(_ text: String) -> String {
        var text = text
        return text.withUTF8 { formDecoded($0[...]) }
    }

    static func pairs(in query: String) -> [Substring] {
        query.split(separator: "&")
    }

    static func formDecoded(_ pair: Substring) -> (name: String, value: String) {
        var pair = pair
        return pair.withUTF8 { formDecoded($0[...]) }
    }

    /// The text of a path segment.
    public static func percentDecoded(_ text: String) -> String {
        formDecoded(text.replacing("+", with: "%2B"))
    }

    private typealias ByteSlice = Slice<UnsafeBufferPointer<UInt8>>

    private static func formDecoded(_ pair: ByteSlice) -> (name: String, value: String) {
        guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return (formDecoded(pair), "") }
        return (formDecoded(pair[..<sign]), formDecoded(pair[(sign + 1)...]))
    }

    private static func formDecoded(_ text: ByteSlice) -> String {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return String(decoding: text, as: UTF8.self)
        }
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = hexDigit(rest.first), let low = hexDigit(rest.dropFirst().first) {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case let byte? where (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte): byte - UInt8(ascii: "0")
        case let byte? where (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20): (byte | 0x20) - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
