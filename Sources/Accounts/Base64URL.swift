/// base64url without padding, read strictly: one spelling for each value. Source: RFC 4648 section 5.
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { text in
            var (bits, waiting, count) = (UInt32(0), 0, 0)
            func write(_ bits: UInt32) {
                text[count] = character(of: UInt8(truncatingIfNeeded: bits & 63))
                count += 1
            }
            for byte in bytes {
                (bits, waiting) = (bits << 8 | UInt32(byte), waiting + 8)
                while waiting >= 6 {
                    waiting -= 6
                    write(bits >> UInt32(waiting))
                }
            }
            if waiting > 0 { write(bits << UInt32(6 - waiting)) }
            return count
        }
    }

    /// Nil for padding, other characters, and spellings that differ from `encode`'s.
    package static func decode(_ text: String) -> [UInt8]? {
        var (bytes, bits, waiting): ([UInt8], UInt32, Int) = ([], 0, 0)
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            (bits, waiting) = (bits << 6 | UInt32(value), waiting + 6)
            guard waiting >= 8 else { continue }
            waiting -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(waiting)))
        }
        // What is left is no whole character, and nothing but zeros: `encode` writes no other.
        return waiting < 6 && bits & (1 << UInt32(waiting) - 1) == 0 ? bytes : nil
    }

    /// The same for what others wrote: either alphabet, padded or not.
    package static func decodeAnySpelling(_ text: String) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == "=" }.count
        guard padding == 0 || padding < 3 && text.utf8.count % 4 == 0 else { return nil }
        return decode(String(text.dropLast(padding)).replacing("+", with: "-").replacing("/", with: "_"))
    }

    /// Whether a byte is one of its 64 letters.
    package static func isInAlphabet(_ byte: UInt8) -> Bool { value(of: byte) != nil }

    /// - Parameter value: below 64.
    private static func character(of value: UInt8) -> UInt8 { letters.utf8Start[Int(value)] }

    private static let letters: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
