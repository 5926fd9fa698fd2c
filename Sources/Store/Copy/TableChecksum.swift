internal import Cryptography

/// The number of rows of a table, and a checksum of their values that does not depend on the order
/// of the rows: the sum of the SHA-256 of each row, in four numbers of 64 bits.
public struct TableChecksum: Sendable, Hashable {
    public private(set) var count = 0
    private var sums: [UInt64] = [0, 0, 0, 0]

    init() {}

    mutating func add(_ row: [SQLValue]) {
        count += 1
        let digest = HashFunction.sha256.hash(row.reduce(into: []) { Self.append($1, to: &$0) })
        for lane in sums.indices {
            let number = digest[(8 * lane)..<(8 * lane + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            sums[lane] &+= number
        }
    }

    /// Each value begins with its type and its length, so that no two rows have the same bytes.
    private static func append(_ value: SQLValue, to bytes: inout [UInt8]) {
        func append(_ number: Int64) { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
        switch value {
        case .null: bytes.append(0)
        case .integer(let number):
            bytes.append(1)
            append(number)
        case .text(let text):
            bytes.append(2)
            append(Int64(text.utf8.count))
            bytes.append(contentsOf: text.utf8)
        case .blob(let blob):
            bytes.append(3)
            append(Int64(blob.count))
            bytes.append(contentsOf: blob)
        }
    }
}
