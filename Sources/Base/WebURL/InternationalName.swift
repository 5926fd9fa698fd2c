import CIDN2

/// International domain names, converted by libidn2 (UTS 46, non-transitional) and checked by the
/// reverse conversion.
///
/// Unicode tables differ by version: two parsers can map one name to two hosts (`ẞ` has meant both
/// `ss` and `ß`). A name is therefore accepted only if its ASCII form, converted back, is the given
/// text in lower case, by the tables of the Swift library rather than libidn2's. Full-width
/// letters, ligatures, non-ASCII dots and decomposed accents are refused; the ASCII form of such a
/// name is accepted. Names with emoji and other symbols, which IDNA 2008 does not allow, are
/// refused in both forms. Source: UTS 46, 4; RFC 5892; requirement R5.
enum InternationalName {
    /// Returns the ASCII form in lower case.
    static func ascii(of text: WebURL.Characters) throws(WebURL.ParseError) -> WebURL.Characters {
        // A name has at most 253 characters of four bytes each; libidn2 gets no longer input (X11).
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
            guard unicode(of: lowercase.ascii) != nil else { throw .internationalName }
        }
        return lowercase
    }

    /// The Unicode form of a name in ASCII and lower case; nil if it has none that leads back to
    /// the name.
    static func unicode(of name: String) -> String? {
        guard let back = toUnicode(name), back != name, toASCII(back) == name else { return nil }
        return back
    }

    private static let flags = Int32(IDN2_NONTRANSITIONAL.rawValue)

    private static func toASCII(_ name: String) -> String? { take { idn2_to_ascii_8z(name, $0, flags) } }
    private static func toUnicode(_ name: String) -> String? { take { idn2_to_unicode_8z8z(name, $0, flags) } }

    /// Copies and frees the result of a call of libidn2; nil if it failed.
    private static func take(_ call: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32) -> String? {
        var result: UnsafeMutablePointer<CChar>?
        defer { idn2_free(result) }
        guard call(&result) == IDN2_OK.rawValue, let result else { return nil }
        return String(validatingCString: result)
    }
}
