/// Tells versions of a file apart, in addresses and entity tags. Protects nothing: whoever chooses the files could make two alike.
///
/// Source: FNV-1a, 64 bits.
package struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
    /// Up to 13 digits and lower-case letters.
    package let description: String

    package init(of bytes: [UInt8]) {
        description = String(bytes.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 36)
    }
}
