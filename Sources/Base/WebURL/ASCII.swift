/// ASCII character classes, which do not depend on Unicode tables or a locale.
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
    /// The string of these characters, which must all be ASCII.
    var ascii: String {
        String(unsafeUninitializedCapacity: count) { bytes in
            for (index, scalar) in enumerated() { bytes[index] = UInt8(truncatingIfNeeded: scalar.value) }
            return count
        }
    }

    var text: String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: self)
        return String(text)
    }
}
