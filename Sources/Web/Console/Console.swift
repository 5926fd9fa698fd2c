internal import Base
internal import HTTPTypes
internal import Views

/// The console of people who help users: static files, whose scripts call the API with the key of
/// an admin. It adds no power to the server, and has neither a cookie nor a form that is sent.
struct Console: Sendable {
    let place: Site.ConsolePlace
    private let page: Response
    private let files: [String: PublicFile]

    private static let path = "/__/console"

    /// A page, and the files that it loads.
    static let routes =
        [path].map { route($0) { console, _ in console.page } }
        + Views.consoleFiles.dropFirst().map { name in
            route(path + "/" + name) { console, request in console.files[name]?.response(to: request) }
        }

    private static func route(_ path: String, _ respond: @escaping @Sendable (Console, Request) -> Response?) -> Route {
        Route(
            .read, path, scope: .console, label: RouteLabel("console", .file),
            handler: .page { site, request in site.console.flatMap { respond($0, request) } })
    }

    /// The calls that the scripts make.
    private static let calls: Set<APIMethod> = [
        .describeKey, .findAccounts, .inspectAccount, .listMails, .listAudit, .listEvents, .overview, .sendOobCode, .invite, .update,
        .delete, .unmergeAccounts, .removeSuppressions, .retryEvent,
    ]

    /// Whether a route is one of the calls that the scripts make, with an admin key.
    static func makes(_ route: Route?) -> Bool {
        guard let route, case .call(let method) = route.handler else { return false }
        return route.credential == .admin && calls.contains(method)
    }

    /// The response to what the listener of the console does not serve.
    static let notFound = Response.text(.notFound, "Only the console is here: \(path)\n")

    /// - Parameter isDevelopment: whether every client is an admin, without a key.
    init(_ assets: [Asset], at place: Site.ConsolePlace, isDevelopment: Bool) {
        self.place = place
        let html = String(decoding: assets[0].body, as: UTF8.self)
        let marked = isDevelopment ? html.replacing(#"data-mode="production""#, with: #"data-mode="development""#) : html
        page = .page(html: Array(marked.utf8), connects: true)
        files = Dictionary(uniqueKeysWithValues: assets.dropFirst().map { ($0.name, PublicFile($0, fresh: .atMost(.seconds(60)))) })
    }
}
