internal import Accounts
internal import Base
internal import HTTPTypes

/// Decides which pages of other origins may use a response (V8).
///
/// In production all may: no caller is recognised by a cookie, so a page gets no more than any
/// program could. In development `Bearer owner`, the emulator's calls and the inbox need no secret,
/// so they are only for pages of this machine and of the projects' authorised domains; otherwise
/// every website that the developer visits would be admin.
struct CrossOrigin: Sendable {
    let isDevelopment: Bool
    /// Whether pages of every origin are trusted in development, also those of the origin `null`.
    let trustsEveryOrigin: Bool
    let projects: CurrentProjects

    /// Whether a page sent the request that must not be an admin of a development server.
    ///
    /// - Parameter project: the project that the path names, beside the configured ones.
    func isForeign(_ request: Request, for project: ProjectID? = nil) -> Bool {
        guard isDevelopment, !trustsEveryOrigin, let origin = request.head.headerFields[.origin] else { return false }
        guard let url = try? WebURL(origin) else { return true }
        // A host that is not ours is refused before.
        if url.host?.isLoopback == true || request.isFromItsOwnHost { return false }
        // A custom scheme is authorised to open an app. Pages of apps and extensions may have one.
        guard url.isWeb else { return true }
        let projects = projects.value
        let trusting = projects.all + (project.flatMap { projects[$0] }.map { [$0] } ?? [])
        return !trusting.contains { $0.authorizedDomains.lists(url) }
    }

    /// The seconds for which browsers keep the answer to a preflight; Chromium takes no more.
    private static let maxAge = "7200"

    /// Lets a page read a response, if its origin can be written in a field.
    @discardableResult func share(_ response: inout Response, withPageOf origin: String?) -> Bool {
        response.headers[.vary] = "Origin, Access-Control-Request-Headers"
        guard let origin, origin.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return false }
        response.headers[.accessControlAllowOrigin] = origin
        return true
    }

    /// Lets the page that sent a request read its response and, unless it is foreign, send a
    /// credential of an admin. Errors are shared as well, because SDKs read them.
    ///
    /// Source: the Fetch Standard; `access-control-allow-private-network` of Private Network
    /// Access, for apps on public sites that use a development server.
    func share(_ response: inout Response, with request: Request, isForeign: Bool) {
        let asked = request.head.headerFields
        guard share(&response, withPageOf: asked[.origin]), request.head.method == .options else { return }
        response.headers[.accessControlMaxAge] = Self.maxAge
        response.headers[.accessControlAllowMethods] = "GET,HEAD,PUT,PATCH,POST,DELETE"
        response.headers[.accessControlAllowHeaders] = asked[.accessControlRequestHeaders].flatMap { names in
            guard names.utf8.allSatisfy({ $0 < 0x7f }) else { return nil }
            return isForeign ? names.withoutAuthorization : names
        }
        if isDevelopment, asked[.accessControlRequestPrivateNetwork] != nil {
            response.headers[.accessControlAllowPrivateNetwork] = "true"
        }
    }
}

extension String {
    /// The names of header fields except `Authorization`.
    fileprivate var withoutAuthorization: String {
        split(separator: ",").filter { $0.trimmed.lowercased() != "authorization" }.joined(separator: ",")
    }
}

extension HTTPField.Name {
    fileprivate static let accessControlRequestPrivateNetwork = Self("Access-Control-Request-Private-Network")!
    fileprivate static let accessControlAllowPrivateNetwork = Self("Access-Control-Allow-Private-Network")!
}
