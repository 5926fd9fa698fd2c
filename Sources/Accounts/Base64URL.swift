/// base64url without padding, read strictly: one spelling for each value. Source: RFC 4648 section 5.
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        let count = (bytes.count * 8 + 5) / 6
        return String(unsafeUninitializedCapacity: count) { text in
            for place in 0..<count {
                // Its six bits begin in this byte, and may end in the next.
                let (byte, offset) = (place * 6).quotientAndRemainder(dividingBy: 8)
                let next = byte + 1 < bytes.count ? bytes[byte + 1] : 0
                let bits = (UInt16(bytes[byte]) << 8 | UInt16(next)) >> UInt16(10 - offset)
                text[place] = letters.utf8Start[Int(bits & 63)]
            }
            return count
        }
    }

    /// Nil for padding, other characters, and spellings that differ from `encode`'s.
    package static func decode(_ text: String) -> [UInt8]? {
        let values = values
        let sextets = text.utf8.map { values[Int($0)] }
        let count = sextets.count * 6 / 8
        let spare = sextets.count * 6 - count * 8
        // What is left is no whole character, and nothing but zeros: `encode` writes no other.
        guard sextets.reduce(0, |) < 64, spare < 6, (sextets.last ?? 0) & (1 << spare - 1) == 0 else { return nil }
        return (0..<count).map { place in
            // Its eight bits begin in this sextet, and end in the next.
            let (sextet, offset) = (place * 8).quotientAndRemainder(dividingBy: 6)
            return UInt8(truncatingIfNeeded: (UInt16(sextets[sextet]) << 6 | UInt16(sextets[sextet + 1])) >> UInt16(4 - offset))
        }
    }

    /// The same for what others wrote: either alphabet, padded or not.
    package static func decodeAnySpelling(_ text: String) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == "=" }.count
        guard padding == 0 || padding < 3 && text.utf8.count % 4 == 0 else { return nil }
        return decode(String(text.dropLast(padding)).replacing("+", with: "-").replacing("/", with: "_"))
    }

    /// Whether a byte is one of its 64 letters.
    package static func isInAlphabet(_ byte: UInt8) -> Bool { values[Int(byte)] < 64 }

    private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    /// What each byte stands for; 64 and more: nothing.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for value in 0..<64 { values[Int(letters.utf8Start[value])] = UInt8(value) }
        return values
    }()
}
