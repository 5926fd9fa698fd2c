internal import HTTPTypes

/// An entry of the route table: everything that is known about requests for one path, with certain
/// methods, before their bodies are read.
final class Route: Sendable {
    /// The hosts that serve a route.
    enum Scope: Sendable {
        /// Every host name, because load balancers send their own names.
        case anyHost
        /// The public origin and the link domains.
        case everyOwnHost
        case linkDomains
        case origin
        /// The listener of the console, or the public origin if there is none.
        case console
    }

    enum Methods: Sendable {
        /// GET and HEAD.
        case read
        case only(HTTPRequest.Method)
        /// Every method; the handler refuses those that it does not support.
        case any

        func contains(_ method: HTTPRequest.Method) -> Bool {
            switch self {
            case .read: method == .get || method == .head
            case .only(let only): method == only
            case .any: true
            }
        }
    }

    /// The credential that a caller must send, for the OpenAPI document. `IdentityToolkit`,
    /// `Operations` and `FeedbackEndpoint` require it.
    enum RequiredCredential: Sendable {
        case none
        case apiKeyOrAdmin
        case admin
        /// The signature or the password of a mail provider.
        case mailProvider
    }

    enum Handler: Sendable {
        /// Responds with nil if the path is not found.
        case page(@Sendable (Site, Request) async -> Response?)
        case call(APIMethod)
        case emulator(EmulatorMethod)
        case published(Publication)
        /// A method of Google's that this server knows and does not offer.
        case notOffered(NotOffered)
    }

    /// Enough for the body of every form, and of every call about one account.
    static let usualBodyBytes = 64 << 10

    let methods: Methods
    /// Exact and case-sensitive; `{project}` and `{id}` stand for one path segment, `{path}` for a
    /// whole path.
    let path: String
    let scope: Scope
    let label: RouteLabel
    let credential: RequiredCredential
    /// The largest body that any correct request has; of clients of the API it is `usualBodyBytes`.
    /// A larger one is refused with 413. The HTTP server's own limit for all requests applies as
    /// well.
    let maxBodyBytes: Int
    let isDevelopmentOnly: Bool
    /// Whether the route is for a request of its path; otherwise the other routes of the path are.
    let takes: @Sendable (Request) -> Bool
    /// Nil for routes that the OpenAPI document does not list.
    let documentation: RouteDocumentation?
    let handler: Handler

    init(
        _ methods: Methods, _ path: String, scope: Scope = .origin, label: RouteLabel, credential: RequiredCredential = .none,
        maxBodyBytes: Int = usualBodyBytes, isDevelopmentOnly: Bool = false, takes: @escaping @Sendable (Request) -> Bool = { _ in true },
        documentation: RouteDocumentation? = nil, handler: Handler
    ) {
        self.methods = methods
        self.path = path
        self.scope = scope
        self.label = label
        self.credential = credential
        self.maxBodyBytes = maxBodyBytes
        self.isDevelopmentOnly = isDevelopmentOnly
        self.takes = takes
        self.documentation = documentation
        self.handler = handler
    }

    /// Whether the route is one that only the Auth emulator has.
    var isEmulator: Bool { if case .emulator = handler { true } else { false } }

    /// Whether the route belongs to the Identity Toolkit API.
    var isAPI: Bool { if case .page = handler { false } else { true } }
}

/// The label that requests are counted by. Labels come from the route table, never from a request
/// (O7).
struct RouteLabel: Sendable, Hashable {
    /// Groups routes that take about the same time.
    enum Kind: String, Sendable, CaseIterable { case health, file, page, api }

    let name: String
    let kind: Kind

    init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

    /// The label of requests that match no route.
    static let unknown = RouteLabel("unknown", .page)
    /// The label of short links, whose paths only their holders know.
    static let shortLink = RouteLabel("shortLink", .page)
    /// The label of what the page of the inbox asks for every few seconds, which is not logged.
    static let inboxVersion = RouteLabel("inboxVersion", .page)
}
