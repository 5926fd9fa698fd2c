internal import HTTPTypes
internal import JSON
internal import Views

/// A file that is the same for whoever asks: made before anyone has, so that it holds no code, no token, and not a byte that a request
/// chose. Nothing but this is ever compressed (X6), and that happens here, once (decision 15).
struct PublicFile: Sendable {
    /// For how long a copy may be used without asking again.
    enum Freshness: Sendable {
        /// Its address changes with its content.
        case forever
        case atMost(Duration)
    }

    private var plain: Form
    /// Nil where it would not be worth it.
    private var gzipped: Form?

    /// - Parameters:
    ///   - contentType: with its charset where it is text (P14).
    ///   - sharedWithAnyOrigin: whether scripts of other sites may read it.
    init(_ contentType: String, _ body: [UInt8], fresh: Freshness, sharedWithAnyOrigin isShared: Bool = false) {
        var answer = Response(.ok, contentType, body)
        answer.headers[.cacheControl] = fresh.cacheControl
        if isShared { answer.headers[.accessControlAllowOrigin] = "*" }
        let isText = ["text/", "application/json", "image/svg+xml"].contains { contentType.hasPrefix($0) }
        guard isText, body.count > Self.worthwhile, let smaller = Gzip.compressed(body), smaller.count < body.count else {
            (plain, gzipped) = (Form(answer), nil)
            return
        }
        answer.headers[.vary] = "Accept-Encoding"
        plain = Form(answer)
        answer.headers[.contentEncoding] = "gzip"
        answer.body = smaller
        gzipped = Form(answer)
    }

    init(_ asset: Asset, fresh: Freshness = .forever) { self.init(asset.contentType, asset.body, fresh: fresh) }

    /// The same file, good for another time.
    func fresh(_ freshness: Freshness) -> PublicFile {
        var file = self
        file.plain.cacheControl = freshness.cacheControl
        file.gzipped?.cacheControl = freshness.cacheControl
        return file
    }

    /// In bytes: less goes into one packet anyhow.
    private static let worthwhile = 1_024

    func answer(to request: Request) -> Response {
        guard request.isRead else { return .methodNotAllowed("GET, HEAD") }
        let fields = request.head.headerFields
        let form = if let gzipped, AcceptedCodings(fields).prefersGzip { gzipped } else { plain }
        return form.answer(to: fields)
    }

    private static let anotherByNow = Response.text(.preconditionFailed, "The file is another than the one that was named.\n")

    /// One way to send it.
    private struct Form: Sendable {
        private let tag: EntityTag
        private var whole: Response
        private var notModified: Response

        var cacheControl: String? {
            get { whole.headers[.cacheControl] }
            set { (whole.headers[.cacheControl], notModified.headers[.cacheControl]) = (newValue, newValue) }
        }

        init(_ answer: Response) {
            tag = EntityTag(of: answer.body)
            var answer = answer
            answer.headers[.eTag] = tag.text
            whole = answer
            answer.body = []
            (answer.headers[.contentType], answer.headers[.contentEncoding]) = (nil, nil)
            answer.status = .notModified
            notModified = answer
        }

        /// Source: RFC 9110 section 13.2.2.
        func answer(to fields: HTTPFields) -> Response {
            if tag.isNamed(by: .ifMatch, of: fields, .strong) == false { return PublicFile.anotherByNow }
            if tag.isNamed(by: .ifNoneMatch, of: fields, .weak) == true { return notModified }
            return whole
        }
    }
}

extension PublicFile.Freshness {
    fileprivate var cacheControl: String {
        switch self {
        case .forever: "public, max-age=31536000, immutable"
        case .atMost(let span): "public, max-age=\(span.components.seconds)"
        }
    }
}
