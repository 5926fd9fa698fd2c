internal import CQRencode
internal import HTTPTypes

/// The QR code of a URL, as an image. A URL of 300 bytes, longer than most short links, has a code
/// of about 69 modules in each direction.
struct QRCode: Sendable {
    enum Format: String, Sendable { case svg, png }

    /// The number of modules in each direction.
    let width: Int
    /// Row by row; true is black.
    private let modules: [Bool]

    /// The modules of white space that scanners need around a code.
    private static let margin = 4
    /// The pixels of one module in each direction.
    private static let scale = 8
    /// The modules of the largest code that phones read from a page: of a URL of 1273 bytes.
    private static let maxWidthOnScreen = 117

    /// Nil if the text is too long for a code, or memory is exhausted.
    /// - Parameter correction: how much of the code may be damaged.
    init?(_ text: String, correction: QRecLevel = QR_ECLEVEL_M) {
        guard let code = QRcode_encodeString8bit(text, 0, correction) else { return nil }
        defer { QRcode_free(code) }
        let width = Int(code.pointee.width)
        guard let data = code.pointee.data else { return nil }
        self.width = width
        // The lowest bit is the colour.
        modules = UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Creates a code that is shown on a screen, where nothing damages it. Nil as well if it would
    /// be too fine for the camera of a phone.
    init?(onScreen text: String) {
        self.init(text, correction: QR_ECLEVEL_L)
        guard width <= Self.maxWidthOnScreen else { return nil }
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

    private var pixels: Int { side * Self.scale }

    /// The modules in each direction, with the white space.
    private var side: Int { width + 2 * Self.margin }

    var viewBox: String { "0 0 \(side) \(side)" }

    /// The black modules as a path of horizontal lines, to be stroked one unit wide. It is half as
    /// long as one of outlines.
    var path: String {
        var path = ""
        for row in 0..<width {
            var (column, drawn) = (0, -Self.margin)
            while column < width {
                let run = modules[(row * width + column)..<((row + 1) * width)].prefix { $0 }.count
                if run > 0 {
                    path += drawn < 0 ? "M\(column + Self.margin) \(row + Self.margin).5h\(run)" : "m\(column - drawn) 0h\(run)"
                    drawn = column + run
                }
                column += max(run, 1)
            }
        }
        return path
    }

    private var svg: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="\(viewBox)" width="\(pixels)" height="\(pixels)" \
        shape-rendering="crispEdges"><path fill="#fff" d="M0 0h\(side)v\(side)H0z"/><path stroke="#000" d="\(path)"/></svg>
        """
    }

    /// Whether a module is black. Those outside of the code are white.
    subscript(column: Int, row: Int) -> Bool {
        (0..<width).contains(column) && (0..<width).contains(row) && modules[row * width + column]
    }

    private func isBlack(_ x: Int, _ y: Int) -> Bool { self[x / Self.scale - Self.margin, y / Self.scale - Self.margin] }
}
