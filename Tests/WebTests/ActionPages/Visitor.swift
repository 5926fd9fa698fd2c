import Accounts
import Base
import Foundation
import HTTPTypes
import Logging
import Testing
import Views
import Web
import World

/// A visitor of the site, who requests pages, reads their forms and sends them.
struct Visitor: Sendable {
    let world: World
    let site: Site
    /// Read once, because reading all languages takes longer than most tests.
    static let views = Result {
        try Views(
            resources: Resources(
                release: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL.path))
    }

    init(_ change: (inout Project) throws -> Void = { _ in }) async throws { try await self.init(World(change)) }

    init(
        _ world: World, limits: Limits? = nil, meters: Meters = .none,
        logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        ready: @escaping @Sendable () async throws(ActionError) -> Void = {}
    ) async throws {
        self.world = world
        let views = try Self.views.get()
        let projects = Projects([world.project])
        site = Site(
            mode: .production(Site.Production(audit: Audit(store: world.store) { _, _ in }) { _ in nil }),
            origin: try WebURL("https://auth.example"), projects: world.current(projects),
            accounts: world.accounts(
                signedWith: try await world.signingKeys(), limits: limits, observe: { meters.codes.count($0) }),
            views: views,
            brands: try Brands(projects, views: views),
            credentials: NoProviders(), helperPages: NoHelperPages(), textMessages: NoTextMessages(), secrets: world.secrets,
            meters: meters,
            ready: ready, logger: logger)
    }

    struct Reply: Sendable {
        let response: HTTPResponse
        let text: String
        var status: Int { response.status.code }
        var location: String? { response.headerFields[.location] }
    }

    func ask(
        _ method: HTTPRequest.Method = .get, _ path: String, body: String = "", host: String = "auth.example",
        headers: [HTTPField.Name: String] = [:]
    ) async -> Reply {
        var request = HTTPRequest(method: method, scheme: "https", authority: host, path: path)
        if method == .post { request.headerFields[.contentType] = "application/x-www-form-urlencoded" }
        for (name, value) in headers { request.headerFields[name] = value }
        let (response, bytes) = await site.respond(to: request, Array(body.utf8), from: "192.0.2.7", through: .front)
        return Reply(response: response, text: String(decoding: bytes, as: UTF8.self))
    }

    /// The link's path and query.
    func path(_ code: OobCode, _ action: Action, extra: String = "") -> String {
        "/__/auth/action?apiKey=shop-key&mode=\(action.rawValue)&oobCode=\(code.text)\(extra)"
    }

    func open(_ code: OobCode, _ action: Action, extra: String = "", headers: [HTTPField.Name: String] = [:]) async -> Reply {
        await ask(.get, path(code, action, extra: extra), headers: headers)
    }

    /// Sends the form of a page, with the fields that a user types.
    func press(
        _ page: Reply, typing fields: [(String, String)] = [], headers: [HTTPField.Name: String] = [.secFetchSite: "same-origin"]
    ) async throws -> Reply {
        let form = try #require(Form(page.text))
        let body = (form.fields + fields).map { "\(WebURL.percentEncoded($0.0))=\(WebURL.percentEncoded($0.1))" }.joined(separator: "&")
        return await ask(.post, form.action, body: body, headers: headers)
    }
}

/// The first form of a page that is sent by POST.
struct Form {
    let action: String
    let fields: [(String, String)]

    init?(_ html: String) {
        guard let form = html.firstMatch(of: #/<form[^>]*method="?post"?[^>]*action="([^"]*)"[^>]*>([\s\S]*?)</form>/#.ignoresCase()) else {
            return nil
        }
        action = String(form.1)
        fields = form.2.matches(of: #/<input type="?hidden"? name="([^"]*)" value="([^"]*)"/#).map { (String($0.1), String($0.2)) }
    }
}

extension HTTPField.Name {
    static let secFetchSite = Self("Sec-Fetch-Site")!
}
