/// Questions about characters whose answers must not depend on Unicode or a locale.
extension Unicode.Scalar {
    var isASCIIDigit: Bool { self >= "0" && self <= "9" }
    var isASCIILetter: Bool { self >= "a" && self <= "z" || self >= "A" && self <= "Z" }
    var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIILetter }
    var isASCIIHexDigit: Bool { isASCIIDigit || self >= "a" && self <= "f" || self >= "A" && self <= "F" }

    var asciiLowercased: Unicode.Scalar {
        self >= "A" && self <= "Z" ? Unicode.Scalar(UInt8(value) | 0x20) : self
    }
}

extension Sequence<Unicode.Scalar> {
    var asciiLowercased: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: lazy.map(\.asciiLowercased))
        return String(text)
    }
}

extension Substring.UnicodeScalarView {
    /// The same, and no copy character by character where it is so already.
    var asciiLowercased: String { contains { $0 >= "A" && $0 <= "Z" } ? String(self).unicodeScalars.asciiLowercased : String(self) }
}
