/// A view of bytes that belong to the caller and are valid only during the call.
public typealias UnsafeBytes = UnsafeBufferPointer<UInt8>

/// The character classes of RFC 9110 §5 and RFC 3986 §2, as bits of one table.
enum Grammar {
    static let token: UInt8 = 1
    /// Visible ASCII without `#`, which starts a fragment and never travels.
    static let target: UInt8 = 2
    /// The characters of a registered name: unreserved, sub-delims, and `%`.
    static let hostName: UInt8 = 4
    /// Control characters other than HTAB, which no line may contain.
    static let control: UInt8 = 8

    private static let classes: [UInt8] = (UInt8.min...UInt8.max).map { byte in
        let isAlphanumeric =
            byte < 0x80 && (UnicodeScalar(byte).properties.isAlphabetic || UnicodeScalar(byte).properties.numericType != nil)
        var bits: UInt8 = 0
        if isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(byte) { bits |= token }
        if 0x21...0x7E ~= byte && byte != UInt8(ascii: "#") { bits |= target }
        if isAlphanumeric || "-._~!$&'()*+,;=%".utf8.contains(byte) { bits |= hostName }
        if byte < 0x20 && byte != .tab || byte == 0x7F { bits |= control }
        return bits
    }

    /// The classes without reference counting and bounds checks: an index is a byte, and there are
    /// 256 entries, which are never freed.
    private nonisolated(unsafe) static let table: UnsafePointer<UInt8> = {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        copy.initialize(from: classes, count: 256)
        return UnsafePointer(copy)
    }()

    static func has(_ byte: UInt8, _ bits: UInt8) -> Bool { table[Int(byte)] & bits != 0 }

    /// Whether all bytes are in the class.
    static func allHave(_ bytes: UnsafeBytes, _ bits: UInt8) -> Bool {
        let table = table
        return bytes.allSatisfy { table[Int($0)] & bits != 0 }
    }

    /// The index of the first control character in `range`; eight bytes are tested at a time.
    static func firstControl(in bytes: UnsafeBytes, _ range: Range<Int>) -> Int? {
        let (each, top): (UInt64, UInt64) = (0x01_01_01_01_01_01_01_01, 0x80_80_80_80_80_80_80_80)
        var index = range.lowerBound
        while range.upperBound - index >= 8 {
            let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            // The top bit of a byte is set in `isLow` if it was below the space, and in `isDelete`
            // if it was DEL. HTAB is allowed but below the space; the loop behind tells it apart.
            let isLow = (word &- each &* 0x20) & ~word
            let isDelete = ((word ^ each &* 0x7F) &- each) & ~(word ^ each &* 0x7F)
            guard (isLow | isDelete) & top == 0 else { break }
            index += 8
        }
        let table = table
        return (index..<range.upperBound).first { table[Int(bytes[$0])] & control != 0 }
    }
}

extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    var isBlank: Bool { self == .space || self == .tab }
    var isDigit: Bool { 0x30...0x39 ~= self }

    var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self - 0x30
        case 0x41...0x46: self - 0x37
        case 0x61...0x66: self - 0x57
        default: nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// A part of the bytes, with indices from zero.
    func part(_ range: some RangeExpression<Int>) -> UnsafeBytes { UnsafeBytes(rebasing: self[range]) }

    var isASCII: Bool { reduce(0, |) < 0x80 }

    /// Whether there is at least one byte and all are in the class.
    func isAll(_ bits: UInt8) -> Bool { !isEmpty && Grammar.allHave(self, bits) }

    func isEqual(to other: [UInt8]) -> Bool { count == other.count && indices.allSatisfy { self[$0] == other[$0] } }

    /// Compares without regard to ASCII case; `lowercase` consists of letters, digits and hyphens.
    func isEqual(ignoringCase lowercase: StaticString) -> Bool {
        guard count == lowercase.utf8CodeUnitCount else { return false }
        let other = lowercase.utf8Start
        return indices.allSatisfy { self[$0] == other[$0] || (self[$0] | 0x20 == other[$0] && 0x41...0x5A ~= self[$0]) }
    }

    func starts(withLowercase prefix: StaticString) -> Bool {
        count >= prefix.utf8CodeUnitCount && part(..<prefix.utf8CodeUnitCount).isEqual(ignoringCase: prefix)
    }

    /// The bytes without optional whitespace at either end. Source: RFC 9110 §5.6.3.
    var trimmed: UnsafeBytes {
        var lower = 0
        var upper = count
        while lower < upper, self[lower].isBlank { lower += 1 }
        while lower < upper, self[upper - 1].isBlank { upper -= 1 }
        return part(lower..<upper)
    }

    var text: String { String(decoding: self, as: UTF8.self) }
}
