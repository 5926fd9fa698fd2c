import Accounts
import Base
import Foundation
import Testing

/// RFC 4648 section 5, without padding, and with one spelling for each value.
@Suite struct `A value in base64url` {
    /// Every remainder of bytes, and every letter at every position.
    static let values = (0...70).map { count in (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + count * 7) } }

    @Test(arguments: values) func `is encoded as by Foundation, in other letters`(value: [UInt8]) {
        let theirs = Data(value).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        #expect(Base64URL.encode(value) == theirs)
    }

    @Test(arguments: values) func `is decoded from its encoding`(value: [UInt8]) {
        #expect(Base64URL.decode(Base64URL.encode(value)) == value)
    }

    @Test(arguments: 0...255) func `consists of 64 letters and no others`(byte: UInt8) {
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        #expect(Base64URL.isInAlphabet(byte) == letters.utf8.contains(byte))
        guard byte < 0x80 else { return }
        #expect((Base64URL.decode("AA" + String(Unicode.Scalar(byte)) + "A") != nil) == letters.utf8.contains(byte))
    }

    @Test(arguments: ["A", "AAAAA", "AA==", "AAA=", "AB", "A_", "AAB", "AA_", "AAAAAB", "é", "AA\0A", " AAA", "AAA\n"])
    func `is refused if it is not whole bytes, or in a second spelling`(text: String) { #expect(Base64URL.decode(text) == nil) }

    /// 32 bytes leave two bits over, so one letter in four can be the last.
    @Test func `has one spelling of each code`() {
        let spellings = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".compactMap {
            Base64URL.decode(String(repeating: "x", count: 42) + String($0))
        }
        #expect(spellings.count == 16 && Set(spellings).count == 16)
    }
}
