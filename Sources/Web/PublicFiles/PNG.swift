internal import CZlib

/// A square image in black and white, with one bit for each pixel.
///
/// Source: Portable Network Graphics, W3C.
struct PNG: Sendable {
    let bytes: [UInt8]

    /// - Parameters:
    ///   - width: the pixels in each direction.
    ///   - isBlack: the colour of a pixel, by its column and row.
    init(width: Int, isBlack: (_ x: Int, _ y: Int) -> Bool) {
        let size = Self.number(UInt32(width))
        // One bit, shades of grey, and the only methods of compression, filtering and interlacing.
        let header = size + size + [1, 0, 0, 0, 0]
        var lines: [UInt8] = []
        for y in 0..<width {
            lines.append(0)  // no filter
            for start in stride(from: 0, to: width, by: 8) {
                lines.append(
                    (0..<8).reduce(UInt8(0)) { byte, bit in
                        let x = start + bit
                        return byte << 1 | (x < width && !isBlack(x, y) ? 1 : 0)
                    })
            }
        }
        bytes =
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] + Self.chunk("IHDR", header) + Self.chunk("IDAT", Self.deflated(lines))
            + Self.chunk("IEND", [])
    }

    private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        return number(UInt32(data.count)) + checked + number(UInt32(truncatingIfNeeded: crc32(0, checked, UInt32(checked.count))))
    }

    private static func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }

    /// Empty if memory is exhausted, so that no image is shown.
    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        let capacity = compressBound(UInt(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: Int(capacity)) { output, count in
            var length = capacity
            let code = compress2(output.baseAddress, &length, bytes, UInt(bytes.count), Z_BEST_SPEED)
            count = code == Z_OK ? Int(length) : 0
        }
    }
}
