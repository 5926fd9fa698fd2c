internal import Base
internal import HTTPTypes
internal import Views

/// The console of people who help users: static files, whose scripts call the API with the key of
/// an admin. It adds no power to the server, and has neither a cookie nor a form that is sent.
struct Console: Sendable {
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
            .read, path, label: RouteLabel("console", .file),
            handler: .page { site, request in site.console.flatMap { respond($0, request) } })
    }

    /// - Parameter isDevelopment: whether every client is an admin, without a key.
    init(_ assets: [Asset], isDevelopment: Bool) {
        let html = String(decoding: assets[0].body, as: UTF8.self)
        let marked = isDevelopment ? html.replacing(#"data-mode="production""#, with: #"data-mode="development""#) : html
        page = .page(html: Array(marked.utf8), connects: true)
        files = Dictionary(uniqueKeysWithValues: assets.dropFirst().map { ($0.name, PublicFile($0, fresh: .atMost(.seconds(60)))) })
    }
}
