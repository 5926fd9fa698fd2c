/// A percent-encode set of the URL standard: which characters may stand as they are in one part of a URL.
/// Source: https://url.spec.whatwg.org/#percent-encoded-bytes
struct PercentEncoding {
    /// One bit for each ASCII character.
    private let escaped: UInt128

    /// `%` stays, because encodings that are already there are kept; `#`, `?` and white space cannot come this far.
    static let fragment = PercentEncoding(escaping: "\"<>`")
    static let query = PercentEncoding(escaping: "\"<>'")
    static let appQuery = PercentEncoding(escaping: "\"<>")
    static let path = PercentEncoding(escaping: "\"<>^`{}")

    private init(escaping characters: String) { escaped = characters.utf8.reduce(0) { $0 | 1 << UInt128($1) } }

    private func stays(_ scalar: Unicode.Scalar) -> Bool { scalar.isASCII && escaped >> UInt128(scalar.value) & 1 == 0 }

    func encode(_ text: WebURL.Characters) -> String {
        if text.allSatisfy({ stays($0) }) { return text.ascii }
        return text.reduce(into: "") { result, scalar in
            if stays(scalar) { result.unicodeScalars.append(scalar) } else { Self.append(scalar, to: &result) }
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
    /// A parameter's name or value, encoded so that every reader gets it back: only RFC 3986's unreserved characters
    /// stay, so neither `+` nor a second decoding can change it (SDKs split links at `=` and `&` after decoding).
    package static func percentEncoded(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if scalar.isASCIIAlphanumeric || scalar == "-" || scalar == "." || scalar == "_" || scalar == "~" {
                result.unicodeScalars.append(scalar)
            } else {
                PercentEncoding.append(scalar, to: &result)
            }
        }
    }

    /// The query's parameters in order, decoded exactly once (L8): `+` is a space, broken UTF-8 becomes U+FFFD.
    /// Source: https://url.spec.whatwg.org/#urlencoded-parsing
    package var queryItems: [(name: String, value: String)] {
        query.map(Self.formItems) ?? []
    }

    /// The same of a request's query or of a form's body.
    package static func formItems(in text: String) -> [(name: String, value: String)] {
        var text = text
        return text.withUTF8 { $0.split(separator: UInt8(ascii: "&")).map(formDecoded) }
    }

    static func pairs(in query: String) -> [Substring] {
        query.split(separator: "&")
    }

    static func formDecoded(_ pair: Substring) -> (name: String, value: String) {
        var pair = pair
        return pair.withUTF8 { formDecoded($0[...]) }
    }

    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    private static func formDecoded(_ pair: Bytes) -> (name: String, value: String) {
        guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { return (formDecoded(pair), "") }
        return (formDecoded(pair[..<sign]), formDecoded(pair[(sign + 1)...]))
    }

    private static func formDecoded(_ text: Bytes) -> String {
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
