internal import Accounts
internal import Base
internal import HTTPTypes

/// Firebase's pages for its SDK in browsers, which a front door passes on so that its host can be
/// the app's `authDomain`. The pages of the SDK's own domain no longer work in browsers that keep
/// the storage of sites apart.
///
/// They have Firebase's policies for frames, openers and scripts, not those of `Response`, which is
/// why every project of the origin has its accounts at an upstream.
struct PassedPages: Sendable {
    let projects: CurrentProjects
    let pages: any HelperPages
    let renderer: PageRenderer

    private static let paths = ["auth/handler.js", "auth/experiments.js", "auth/iframe", "auth/iframe.js", "firebase/init.json"]
        .map { "/__/" + $0 }

    static let routes = paths.map { path in
        Route(.read, path, label: RouteLabel("passedPage", .page), handler: .page { await $0.passedPages.response(to: $1) })
    }

    /// Nil if the request is not for such a page, or no project has them.
    func response(to request: Request) async -> Response? {
        // A service worker would outlast the setting, and see the links that are opened.
        guard request.head.headerFields[.serviceWorker] == nil, let host = projects.value.helpers,
            (Self.paths + [ProviderHandler.path]).contains(request.path)
        else { return nil }
        let fields = Self.requestFields.compactMap { name in request.head.headerFields[name].map { (name: name.rawName, value: $0) } }
        let sent = HelperRequest(
            fields: fields, form: request.isRead ? nil : request.body, network: request.client.network)
        let target = request.path + (request.queryText.isEmpty ? "" : "?" + request.queryText)
        do throws(ActionError) { return try await Response(passing: pages.fetch(target, sent, at: host)) } catch {
            return renderer.error(.failed(error), PageContext(request))
        }
    }

    /// The fields of a browser's request that are passed on. No cookie is one: those of this host
    /// are not Firebase's.
    private static let requestFields: [HTTPField.Name] = [
        .accept, .acceptLanguage, .userAgent, .contentType, .ifNoneMatch, .ifModifiedSince,
    ]
}

extension Response {
    /// The response with its status, its body and its fields.
    fileprivate init(passing response: HelperResponse) {
        self.init(HTTPResponse.Status(code: response.status))
        headers = [:]
        body = response.body
        for field in response.fields {
            guard let name = HTTPField.Name(field.name), !Self.ownFields.contains(name), HTTPField.isValidValue(field.value) else {
                continue
            }
            headers.append(HTTPField(name: name, value: field.value))
        }
    }

    /// Fields of the connection, and fields that speak for the whole host: its cookies, its
    /// certificates, its other addresses.
    private static let ownFields: Set<HTTPField.Name> = Set(
        [
            "Connection", "Keep-Alive", "Proxy-Connection", "Transfer-Encoding", "TE", "Trailer", "Upgrade", "Content-Length", "Date",
            "Server", "Set-Cookie", "Strict-Transport-Security", "Alt-Svc", "Clear-Site-Data", "Report-To", "Reporting-Endpoints", "NEL",
            "Service-Worker-Allowed",
        ].compactMap { HTTPField.Name($0) })
}

extension HTTPField.Name {
    fileprivate static let serviceWorker = Self("Service-Worker")!
}
