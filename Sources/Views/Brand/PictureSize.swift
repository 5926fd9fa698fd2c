/// The size of a picture in pixels, each at least 1.
struct PictureSize: Sendable, Hashable {
    let width, height: Int

    init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    /// Reads the size of a PNG or JPEG file, the types that every mail program shows; nil for other
    /// files.
    init?(of file: [UInt8]) {
        guard let size = Self.png(file[...]) ?? Self.jpeg(file[...]), size.width > 0, size.height > 0 else { return nil }
        self = size
    }

    /// The size in which the picture fits into another, with the same proportions. It never grows.
    func fitting(_ limit: PictureSize) -> PictureSize {
        let factor = min(1, Double(limit.width) / Double(width), Double(limit.height) / Double(height))
        func scaled(_ length: Int) -> Int { max(1, Int((Double(length) * factor).rounded())) }
        return PictureSize(width: scaled(width), height: scaled(height))
    }

    /// Source: PNG specification, 11.2.1 (IHDR).
    private static func png(_ file: ArraySlice<UInt8>) -> PictureSize? {
        let start: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        guard file.starts(with: start), file.count >= 24 else { return nil }
        let sizes = file.dropFirst(start.count)
        return PictureSize(width: number(sizes.prefix(4)), height: number(sizes.dropFirst(4).prefix(4)))
    }

    /// Source: ITU T.81, B.1.1 and B.2.2: segments up to the start of the frame.
    private static func jpeg(_ file: ArraySlice<UInt8>) -> PictureSize? {
        guard file.starts(with: [0xff, 0xd8]) else { return nil }
        var rest = file.dropFirst(2)
        while rest.count >= 9, rest.first == 0xff {
            let marker = rest[rest.startIndex + 1]
            if marker == 0xff {
                rest = rest.dropFirst()
                continue
            }
            // 0xc4, 0xc8 and 0xcc are tables, not frames.
            if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
                return PictureSize(width: number(rest.dropFirst(7).prefix(2)), height: number(rest.dropFirst(5).prefix(2)))
            }
            let length = number(rest.dropFirst(2).prefix(2))
            guard length >= 2 else { return nil }
            rest = rest.dropFirst(2 + length)
        }
        return nil
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
