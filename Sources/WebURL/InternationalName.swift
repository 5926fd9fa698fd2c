import CIDN2

/// International domain names by libidn2 (UTS 46, non-transitional), believed only where a second opinion agrees.
///
/// Unicode tables differ by version: two readers can map one name to two hosts (`ẞ` has meant both `ss` and `ß`).
/// So a name is accepted only if its ASCII form, decoded again, is the text we were given in lower case, where lower
/// case is the Swift library's table and not libidn2's. Full-width letters, ligatures, foreign dots and decomposed
/// accents are refused; the form that begins with `xn--` always remains. Source: UTS 46, 4; requirements R5.
enum InternationalName {
    /// The ASCII form, in lower case; plain names come back unchanged but for that.
    static func ascii(of text: WebURL.Characters) throws(WebURL.Unreadable) -> WebURL.Characters {
        // Four bytes of UTF-8 for each of 253 characters: nothing longer can be a name, and libidn2 never sees it (X11).
        guard text.reduce(0, { $0 + UTF8.width($1) }) <= 4 * 253 else { throw .longName }
        let lowercase = text.map(\.asciiLowercased)[...]
        if !lowercase.allSatisfy(\.isASCII) {
            guard let ascii = toASCII(lowercase.text), let back = toUnicode(ascii),
                back.unicodeScalars.elementsEqual(lowercase.map(\.properties.lowercaseMapping).joined().unicodeScalars)
            else { throw .internationalName }
            return ArraySlice(ascii.unicodeScalars)
        }
        let isEncoded = lowercase.indices.contains {
            lowercase[$0...].starts(with: ["x", "n", "-", "-"]) && ($0 == lowercase.startIndex || lowercase[$0 - 1] == ".")
        }
        if isEncoded {
            let name = lowercase.ascii
            guard let back = toUnicode(name), back != name, toASCII(back) == name else { throw .internationalName }
        }
        return lowercase
    }

    private static let flags = Int32(IDN2_NONTRANSITIONAL.rawValue)

    private static func toASCII(_ name: String) -> String? { take { idn2_to_ascii_8z(name, $0, flags) } }
    private static func toUnicode(_ name: String) -> String? { take { idn2_to_unicode_8z8z(name, $0, flags) } }

    /// Copies libidn2's answer and frees it; nil if it refused.
    private static func take(_ call: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32) -> String? {
        var answer: UnsafeMutablePointer<CChar>?
        defer { idn2_free(answer) }
        guard call(&answer) == IDN2_OK.rawValue, let answer else { return nil }
        return String(validatingCString: answer)
    }
}
