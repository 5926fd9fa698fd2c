/// Base64url without padding, decoded strictly, so that each value has one spelling. Source: RFC
/// 4648 section 5.
public enum Base64URL {
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        let count = (bytes.count * 8 + 5) / 6
        return String(unsafeUninitializedCapacity: count) { text in
            for index in 0..<count {
                // A character's six bits begin in this byte, and may end in the next.
                let (byte, offset) = (index * 6).quotientAndRemainder(dividingBy: 8)
                let next = byte + 1 < bytes.count ? bytes[byte + 1] : 0
                let bits = (UInt16(bytes[byte]) << 8 | UInt16(next)) >> UInt16(10 - offset)
                text[index] = letters.utf8Start[Int(bits & 63)]
            }
            return count
        }
    }

    /// Nil for padding, for other characters, and for a spelling that differs from `encode`'s.
    public static func decode(_ text: String) -> [UInt8]? {
        let values = values
        let sextets = text.utf8.map { values[Int($0)] }
        let count = sextets.count * 6 / 8
        let spare = sextets.count * 6 - count * 8
        // The bits left over are less than a character and all zero, as `encode` writes them.
        guard sextets.reduce(0, |) < 64, spare < 6, (sextets.last ?? 0) & (1 << spare - 1) == 0 else { return nil }
        return (0..<count).map { index in
            // A byte's eight bits begin in this sextet, and end in the next.
            let (sextet, offset) = (index * 8).quotientAndRemainder(dividingBy: 6)
            return UInt8(truncatingIfNeeded: (UInt16(sextets[sextet]) << 6 | UInt16(sextets[sextet + 1])) >> UInt16(4 - offset))
        }
    }

    /// Decodes base64 that other software wrote: of either alphabet, with padding or without.
    public static func decodeAnySpelling(_ text: String) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == "=" }.count
        guard padding == 0 || padding < 3 && text.utf8.count % 4 == 0 else { return nil }
        return decode(String(text.dropLast(padding)).replacing("+", with: "-").replacing("/", with: "_"))
    }

    /// Whether a byte is one of the 64 characters of base64url.
    public static func isInAlphabet(_ byte: UInt8) -> Bool { values[Int(byte)] < 64 }

    private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    /// The value of each character; 64 and more for bytes that are not one.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for value in 0..<64 { values[Int(letters.utf8Start[value])] = UInt8(value) }
        return values
    }()
}
