import Accounts
import Foundation
import Testing

/// As RFC 4648 section 5 has it, without padding, and with one spelling for each value.
@Suite struct `A value in base64url` {
    /// Every number of bytes that is left over, and every letter in every place.
    static let values = (0...70).map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + count * 7) } }

    @Test(arguments: values) func `writes what Foundation writes, in its own letters`(value: [UInt8]) {
        let theirs = Data(value).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        #expect(Base64URL.encode(value) == theirs)
    }

    @Test(arguments: values) func `reads what it writes`(value: [UInt8]) { #expect(Base64URL.decode(Base64URL.encode(value)) == value) }

    @Test(arguments: 0...255) func `knows its 64 letters and no others`(byte: UInt8) {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        #expect(Base64URL.isInAlphabet(byte) == letters.utf8.contains(byte))
        guard byte < 0x80 else { return }
        #expect((Base64URL.decode("AA" + String(Unicode.Scalar(byte)) + "A") != nil) == letters.utf8.contains(byte))
    }

    @Test(arguments: ["A", "AAAAA", "AA==", "AAA=", "AB", "A_", "AAB", "AA_", "AAAAAB", "é", "AA\0A", " AAA", "AAA\n"])
    func `refuses what is no whole byte, and a second spelling`(text: String) { #expect(Base64URL.decode(text) == nil) }

    /// For 32 bytes, two bits are left over: one letter in four can stand last.
    @Test func `has one spelling of each code`() {
        let spellings = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".compactMap {
            Base64URL.decode(String(repeating: "x", count: 42) + String($0))
        }
        #expect(spellings.count == 16 && Set(spellings).count == 16)
    }
}
