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

extension Collection<Unicode.Scalar> {
    /// The text of characters that all are ASCII, as they are in whatever a URL ends up with.
    var ascii: String {
        String(unsafeUninitializedCapacity: count) { bytes in
            for (place, scalar) in enumerated() { bytes[place] = UInt8(truncatingIfNeeded: scalar.value) }
            return count
        }
    }

    var text: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: self)
        return String(text)
    }
}
