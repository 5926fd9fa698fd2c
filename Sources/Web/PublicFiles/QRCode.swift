internal import CQRencode
internal import HTTPTypes

/// The QR code of a URL, as an image. A URL of 300 bytes, longer than most short links, has a code
/// of about 69 modules in each direction.
struct QRCode: Sendable {
    enum Format: String, Sendable { case svg, png }

    /// The number of modules in each direction.
    private let width: Int
    /// Row by row; true is black.
    private let modules: [Bool]

    /// The modules of white space that scanners need around a code.
    private static let margin = 4
    /// The pixels of one module in each direction.
    private static let scale = 8

    /// Nil if the text is too long for a code, or memory is exhausted.
    init?(_ text: String) {
        guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        self.width = width
        // The lowest bit is the colour.
        modules = UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
    }

    func response(_ format: Format) -> Response {
        var response =
            switch format {
            case .svg: Response(.ok, "image/svg+xml", Array(svg.utf8))
            case .png: Response(.ok, "image/png", PNG(width: pixels, isBlack: isBlack).bytes)
            }
        // A short link never changes its URL.
        response.headers[.cacheControl] = "public, max-age=31536000, immutable"
        return response
    }

    private var pixels: Int { (width + 2 * Self.margin) * Self.scale }

    /// One path of horizontal runs.
    private var svg: String {
        var path = ""
        for row in 0..<width {
            var column = 0
            while column < width {
                let run = modules[(row * width + column)..<((row + 1) * width)].prefix { $0 }.count
                if run > 0 { path += "M\(column + Self.margin) \(row + Self.margin)h\(run)v1h-\(run)z" }
                column += max(run, 1)
            }
        }
        let side = width + 2 * Self.margin
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" width="\(pixels)" height="\(pixels)" \
            shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path d="\(path)"/></svg>
            """
    }

    private func isBlack(_ x: Int, _ y: Int) -> Bool {
        let (column, row) = (x / Self.scale - Self.margin, y / Self.scale - Self.margin)
        return (0..<width).contains(column) && (0..<width).contains(row) && modules[row * width + column]
    }
}
