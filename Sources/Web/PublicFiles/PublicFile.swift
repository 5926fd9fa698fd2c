internal import Base
internal import HTTPTypes
internal import Views

/// A file that is the same for every client. It is made before any request, so it contains no code,
/// no token and nothing that a request chose; therefore only public files are compressed (X6,
/// decision 15).
struct PublicFile: Sendable {
    /// How long a client may use its copy without asking again.
    enum Freshness: Sendable {
        /// For files with a name that changes with the content.
        case forever
        case atMost(Duration)
    }

    private var plain: Representation
    /// Nil if compression does not make the file smaller.
    private var gzipped: Representation?

    /// - Parameters:
    ///   - contentType: with a charset if it is text (P14).
    ///   - sharedWithAnyOrigin: whether scripts of other sites may read it.
    init(_ contentType: String, _ body: [UInt8], fresh: Freshness, sharedWithAnyOrigin isShared: Bool = false) {
        var response = Response(.ok, contentType, body)
        response.headers[.cacheControl] = fresh.cacheControl
        // Firefox applies the policy of a picture to the styles in it.
        if contentType.hasPrefix("image/svg+xml") { response.headers[.contentSecurityPolicy] = Self.policyOfPictures }
        if isShared { response.headers[.accessControlAllowOrigin] = "*" }
        let isText = ["text/", "application/json", "image/svg+xml"].contains { contentType.hasPrefix($0) }
        guard isText, body.count > Self.maxUncompressedBytes, let smaller = Gzip.compressed(body), smaller.count < body.count else {
            (plain, gzipped) = (Representation(response), nil)
            return
        }
        response.headers[.vary] = "Accept-Encoding"
        plain = Representation(response)
        response.headers[.contentEncoding] = "gzip"
        response.body = smaller
        gzipped = Representation(response)
    }

    init(_ asset: Asset, fresh: Freshness = .forever, sharedWithAnyOrigin isShared: Bool = false) {
        self.init(asset.contentType, asset.body, fresh: fresh, sharedWithAnyOrigin: isShared)
    }

    /// A copy of the file with another freshness.
    func fresh(_ freshness: Freshness) -> PublicFile {
        var file = self
        file.plain.cacheControl = freshness.cacheControl
        file.gzipped?.cacheControl = freshness.cacheControl
        return file
    }

    private static let policyOfPictures = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

    /// The maximum size of files that are not compressed: one packet holds them anyway.
    private static let maxUncompressedBytes = 1_024

    func response(to request: Request) -> Response {
        guard request.isRead else { return .methodNotAllowed("GET, HEAD") }
        let fields = request.head.headerFields
        let representation = if let gzipped, AcceptedCodings(fields).prefersGzip { gzipped } else { plain }
        return representation.response(to: fields)
    }

    private static let changed = Response.text(.preconditionFailed, "The file has changed.\n")

    /// The file in one content coding.
    private struct Representation: Sendable {
        private let tag: EntityTag
        private var whole: Response
        private var notModified: Response

        var cacheControl: String? {
            get { whole.headers[.cacheControl] }
            set { (whole.headers[.cacheControl], notModified.headers[.cacheControl]) = (newValue, newValue) }
        }

        init(_ response: Response) {
            tag = EntityTag(of: response.body)
            var response = response
            response.headers[.eTag] = tag.text
            whole = response
            response.body = []
            (response.headers[.contentType], response.headers[.contentEncoding]) = (nil, nil)
            response.status = .notModified
            notModified = response
        }

        /// Source: RFC 9110 section 13.2.2.
        func response(to fields: HTTPFields) -> Response {
            if tag.isNamed(by: .ifMatch, of: fields, .strong) == false { return PublicFile.changed }
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
