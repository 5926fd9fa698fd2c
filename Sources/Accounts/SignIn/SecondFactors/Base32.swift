/// Base32 without padding, as authenticator apps take keys. Source: RFC 4648 section 6.
enum Base32 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    static func encode(_ bytes: [UInt8]) -> String {
        let count = (bytes.count * 8 + 4) / 5
        return String(
            (0..<count).map { index in
                // A character's five bits begin in this byte, and may end in the next.
                let (byte, offset) = (index * 5).quotientAndRemainder(dividingBy: 8)
                let next = byte + 1 < bytes.count ? bytes[byte + 1] : 0
                let bits = (UInt16(bytes[byte]) << 8 | UInt16(next)) >> UInt16(11 - offset)
                return letters[Int(bits & 31)]
            })
    }
}
