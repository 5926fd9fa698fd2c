internal import Foundation

/// base64url without padding, read strictly: one spelling for each value. Source: RFC 4648 section 5.
package enum Base64URL {
    package static func encode(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").trimmingCharacters(in: ["="])
    }

    /// Nil for padding, other characters, and spellings that differ from `encode`'s.
    package static func decode(_ text: String) -> [UInt8]? {
        guard text.utf8.allSatisfy(isInAlphabet) else { return nil }
        let standard = text.replacing("-", with: "+").replacing("_", with: "/")
        let padded = standard + String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        guard let bytes = Data(base64Encoded: padded).map(Array.init), encode(bytes) == text else { return nil }
        return bytes
    }

    /// The same for what others wrote: either alphabet, padded or not.
    package static func decodeAnySpelling(_ text: String) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == "=" }.count
        guard padding == 0 || padding < 3 && text.utf8.count % 4 == 0 else { return nil }
        return decode(String(text.dropLast(padding)).replacing("+", with: "-").replacing("/", with: "_"))
    }

    private static func isInAlphabet(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
