internal import HTTPTypes
internal import JSON
internal import Views

/// What requests are counted by: never a path, which strangers choose (O7).
struct Route: Sendable, Hashable {
    /// What takes about as long as each other.
    enum Kind: String, Sendable, CaseIterable { case health, file, page, api }

    let name: String
    let kind: Kind

    private init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

    private static let asset = Route("asset", .file)
    private static let published = Route("published", .api)
    private static let emulator = Route("emulator", .api)
    private static let notOffered = Route("notOffered", .api)
    private static let unknown = Route("unknown", .page)

    private static func call(_ method: Call.Method) -> Route { Route("\(method)", .api) }

    private static let readPaths: [String: Route] = [
        "/healthz": Route("healthz", .health), "/readyz": Route("readyz", .health), "/metrics": Route("metrics", .health),
        "/robots.txt": Route("robots", .file), "/favicon.ico": asset, "/openapi.json": Route("openapi", .file),
        "/.well-known/apple-app-site-association": Route("association", .file), "/apple-app-site-association": Route("association", .file),
        "/.well-known/assetlinks.json": Route("association", .file), "/": Route("root", .page), "/__/auth/links": Route("links", .page),
        "/__/auth/action": Route("action", .page), "/__/auth/done": Route("done", .page), "/inbox": Route("inbox", .page),
    ]
    private static let otherPaths: [String: Route] = [
        "/__/auth/action": Route("press", .page), "/__/auth/resend": Route("resend", .page), "/__/auth/reset": Route("reset", .page),
    ]

    /// Every route that there is.
    static let all = Set(readPaths.values).union(otherPaths.values).union(Call.Method.allCases.map(call))
        .union([asset, published, emulator, notOffered, unknown])

    /// Those that one look-up finds, by path: what GET or HEAD asks for, and what any other method does.
    static let exact: (read: [String: Route], other: [String: Route]) = {
        var (read, other) = (readPaths, otherPaths)
        for (path, verbs) in Endpoint.table where !path.contains("{") {
            for (verb, method) in verbs {
                if verb == .get { read[path] = Route(method) } else { other[path] = Route(method) }
            }
        }
        return (read, other)
    }()

    /// The route of a path that is not among the exact ones.
    init(path: String, _ verb: HTTPRequest.Method) {
        if path.hasPrefix(Asset.root) {
            self = Self.asset
        } else {
            self = Endpoint(path: path)?[verb].map { Route($0) } ?? Self.unknown
        }
    }

    private init(_ method: Endpoint.Method) {
        switch method {
        case .call(let method): self = Self.call(method)
        case .emulator: self = Self.emulator
        case .published: self = Self.published
        case .notOffered: self = Self.notOffered
        }
    }
}
