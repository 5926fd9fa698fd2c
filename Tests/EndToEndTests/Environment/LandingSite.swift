import HTTPServer
import HTTPTypes
import Logging
import World

/// The app's own site, on another origin. Links continue to it, and it records its visits.
actor LandingSite {
    struct Visit: Sendable {
        /// Path and query.
        let target: String
        let headers: HTTPFields
    }

    private var server: HTTPServer?
    private var port: UInt16 = 0
    private var visits: [Visit] = []
    private var pages: [String: (text: String, headers: HTTPFields)] = [:]

    func open() async throws {
        let server = HTTPServer(
            addresses: [ListenAddress(host: "127.0.0.1", port: 0)], logger: Logger(label: "landing") { _ in SwiftLogNoOpLogHandler() }
        ) { [weak self] request, _, _ in
            await self?.answer(request) ?? (HTTPResponse(status: .gone), [])
        }
        port = try await server.start()[0].port
        self.server = server
    }

    func close() async { await server?.stop() }

    /// An address on this site. Browsers take the two hosts `localhost` and `127.0.0.1` for
    /// different sites.
    func address(_ path: String, host: String = "localhost") -> String { "http://\(host):\(port)\(path)" }

    /// Serves this page at a path, whatever the query.
    func serve(_ text: String, at path: String, as type: String = "text/html", headers: HTTPFields = [:]) {
        var headers = headers
        headers[.contentType] = "\(type); charset=utf-8"
        pages[path] = (text, headers)
    }

    /// Serves the usual page at a path again.
    func serveNothing(at path: String) { pages[path] = nil }

    func forget() { visits = [] }

    /// The last visit to a path and query.
    func visit(to target: String) -> Visit? { visits.last { $0.target == target } }

    private func answer(_ request: HTTPRequest) -> (HTTPResponse, [UInt8]) {
        let target = request.path ?? "/"
        visits.append(Visit(target: target, headers: request.headerFields))
        // Many apps redirect from their continue URL: `/moved?<address>` redirects to the address.
        if target.hasPrefix("/moved?") {
            return (HTTPResponse(status: .found, headerFields: [.location: String(target.dropFirst("/moved?".count))]), [])
        }
        let (text, headers) =
            pages[String(target.prefix { $0 != "?" })]
            ?? ("<!doctype html><title>Landed</title><h1>Landed</h1>", [.contentType: "text/html; charset=utf-8"])
        return (HTTPResponse(status: .ok, headerFields: headers), Array(text.utf8))
    }
}
