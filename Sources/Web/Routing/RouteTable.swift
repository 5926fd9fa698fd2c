internal import Accounts
internal import AppLinks
internal import HTTPTypes
internal import Views

/// Every address that Onward serves. Routing, metrics, the OpenAPI document and body limits read
/// this table.
enum RouteTable {
    static let routes =
        Operations.routes + WellKnownAddresses.routes + ClientModule.routes + Console.routes + ActionPages.routes
        + ProviderHandler.routes + PassedPages.routes + LinkDomainPages.routes
        + DevPages.routes
        + DevPages.preflights
        + FeedbackEndpoint.routes + IdentityToolkit.routes

    /// The routes of one path.
    struct Match: Sendable {
        let routes: [Route]
        /// The project that the path names.
        var project: ProjectID?

        var isAPI: Bool { routes.first?.isAPI == true }

        /// The route for a method, on the first host that has one.
        func route(for method: HTTPRequest.Method) -> Route? { routes.first { $0.methods.contains(method) } }
    }

    /// The routes of a path as it was sent: nothing is decoded or normalised (R15). Nil if there
    /// are none.
    /// - Parameter onLinkDomain: whether the host is a link domain, on which other paths may be
    ///   those of short links.
    static func match(_ path: String, onLinkDomain: Bool = false) -> Match? {
        if let match = exact[path] { return match }
        // No template is for such a path.
        if onLinkDomain, ShortLinkPath(mailed: path) != nil { return templates[LinkDomainPages.shortLinkTemplate] }
        if path.hasPrefix(Asset.root) { return exact[Asset.root] }
        let template = DevPages.template(of: path) ?? FeedbackEndpoint.template(of: path) ?? Request.linkStatsTemplate(of: path)
        if let template = template ?? ProviderHandler.template(of: path) { return templates[template] }
        return APIPath(path).flatMap(match)
    }

    private static func match(_ path: APIPath) -> Match? {
        guard var match = path.project == nil ? exact[path.template] : templates[path.template], match.isAPI else {
            return IdentityToolkit.families.first { path.template.hasPrefix($0.start) }.map { Match(routes: $0.routes) }
        }
        match.project = path.project
        return match
    }

    private static let exact = matches { !$0.path.contains("{") }
    private static let templates = matches { $0.path.contains("{") }

    private static func matches(_ isIncluded: (Route) -> Bool) -> [String: Match] {
        Dictionary(grouping: routes.filter(isIncluded), by: \.path).mapValues { Match(routes: $0) }
    }
}

/// A path of the Identity Toolkit API, without what SDKs add in front of it.
struct APIPath: Sendable, Hashable {
    /// The path with `{project}` in the place of the project's id.
    let template: String
    let project: ProjectID?
    /// The id of a resource, in whose place the template has `{id}`.
    var resource: String?

    private static let collections = ProviderCollection.allCases.map { "/\($0.rawValue)/" } + ["/events/", "/suppressions/"]
    /// The method of an event.
    private static let retry = ":retry"
    /// Google's hosts, which SDKs put in front of the path when they talk to an emulator.
    private static let hosts = ["/identitytoolkit.googleapis.com", "/securetoken.googleapis.com", "/www.googleapis.com"]
    private static let emulator = "/emulator/"
    static let v3 = "/identitytoolkit/v3/relyingparty/"
    /// The suffix of the path of an issuer's metadata. Source: OpenID Connect Discovery 1.0 section
    /// 4.
    static let discovery = "/.well-known/openid-configuration"

    /// Whether an unknown path is answered as one of the API, by its JSON errors and its CORS
    /// headers.
    static func isReserved(_ path: String, inDevelopment: Bool) -> Bool {
        path.hasSuffix(discovery) || (["/v1/", "/v2/", v3] + hosts.map { $0 + "/" }).contains { path.hasPrefix($0) }
            || inDevelopment && path.hasPrefix(emulator + "v1/")
    }

    /// Nil if the path has something else in the place of a project's id.
    init?(_ path: String) {
        let host = Self.hosts.first { path.hasPrefix($0 + "/") } ?? ""
        let bare = String(path.dropFirst(host.count))
        guard host.isEmpty || !bare.hasPrefix(Self.emulator) else { return nil }
        if bare.hasSuffix(Self.discovery), let project = ProjectID(segment: String(bare.dropFirst().dropLast(Self.discovery.count))) {
            (template, self.project) = ("/{project}" + Self.discovery, project)
            return
        }
        guard let projects = bare.firstRange(of: "/projects/") else {
            (template, project) = (bare, nil)
            return
        }
        let rest = bare[projects.upperBound...]
        // `projects/shop:createSessionCookie`: the method follows the id as it follows `accounts`.
        let id = rest.prefix { $0 != "/" && $0 != ":" }
        guard let project = ProjectID(segment: String(id)) else { return nil }
        var end = rest.dropFirst(id.count)
        if let start = Self.collections.first(where: end.hasPrefix) {
            let method = end.hasSuffix(Self.retry) ? Self.retry : ""
            resource = String(end.dropFirst(start.count).dropLast(method.count))
            if resource?.contains("/") == false { end = start + "{id}" + method }
        }
        (template, self.project) = (bare[..<projects.upperBound] + "{project}" + end, project)
    }
}

extension ProjectID {
    /// An id that is written in a path without escapes, so that there is nothing to decode.
    init?(segment: String) {
        let marks = "0123456789-_.".unicodeScalars
        guard segment.unicodeScalars.allSatisfy({ $0.isASCII && ($0.properties.isAlphabetic || marks.contains($0)) }),
            (1...128).contains(segment.utf8.count)
        else { return nil }
        self.init(rawValue: segment)
    }
}

extension APIMethod {
    /// The methods of the route table, by name.
    static let all: [APIMethod] = {
        let methods = RouteTable.routes.compactMap { route in if case .call(let method) = route.handler { method } else { nil } }
        return Set(methods).sorted { $0.name < $1.name }
    }()
}
