/// The line before a chunk: its size, and extensions, which are validated and ignored.
/// Source: RFC 9112 §7.1.
struct ChunkLine {
    let size: Int

    /// The longest line that is accepted: sixteen digits and some extensions.
    static let maxBytes = 256

    init(_ line: UnsafeBytes) throws(Rejection) {
        let digits = line.prefix { $0.hexValue != nil }.count
        guard 1...16 ~= digits else { throw .badChunk }
        let value = line.part(..<digits).reduce(UInt64(0)) { $0 << 4 | UInt64($1.hexValue ?? 0) }
        guard let size = Int(exactly: value) else { throw .badChunk }
        self.size = size
        var rest = Scanner(bytes: line.part(digits...))
        while !rest.isAtEnd {
            guard rest.skipBlanks(), rest.skip(UInt8(ascii: ";")), rest.skipBlanks(), rest.skipToken() else { throw .badChunk }
            let name = rest
            guard rest.skipBlanks(), rest.skip(UInt8(ascii: "=")) else {
                rest = name
                continue
            }
            guard rest.skipBlanks(), rest.skipToken() || rest.skipQuoted() else { throw .badChunk }
        }
    }

    private struct Scanner {
        let bytes: UnsafeBytes
        var index = 0

        init(bytes: UnsafeBytes) { self.bytes = bytes }

        var isAtEnd: Bool { index == bytes.count }

        mutating func skipBlanks() -> Bool {
            while !isAtEnd, bytes[index].isBlank { index += 1 }
            return true
        }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard !isAtEnd, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        mutating func skipToken() -> Bool {
            let start = index
            while !isAtEnd, Grammar.has(bytes[index], Grammar.token) { index += 1 }
            return index > start
        }

        /// Source: RFC 9110 §5.6.4.
        mutating func skipQuoted() -> Bool {
            guard skip(UInt8(ascii: "\"")) else { return false }
            while !isAtEnd {
                if skip(UInt8(ascii: "\"")) { return true }
                index += bytes[index] == UInt8(ascii: "\\") && index + 1 < bytes.count ? 2 : 1
            }
            return false
        }
    }
}
