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

    func encode(_ text: Substring.UnicodeScalarView) -> String {
        if text.allSatisfy(stays) { return String(text) }
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
        pairs(in: text).map(formDecoded)
    }

    static func pairs(in query: String) -> [Substring] {
        query.split(separator: "&")
    }

    static func formDecoded(_ pair: Substring) -> (name: String, value: String) {
        let halves = pair.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        return (formDecoded(halves[0]), halves.count == 2 ? formDecoded(halves[1]) : "")
    }

    private static func formDecoded(_ text: Substring.UTF8View) -> String {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else { return String(Substring(text)) }
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(isHexDigit),
                let decoded = UInt8(Substring(rest.prefix(2)), radix: 16)
            {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// `UInt8("+f", radix: 16)` is 15, but `%+f` is no escape.
    private static func isHexDigit(_ byte: UInt8) -> Bool { Unicode.Scalar(byte).properties.isASCIIHexDigit }
}
