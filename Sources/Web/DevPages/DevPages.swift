internal import Accounts
internal import AppLinks
internal import Base
internal import HTTPTypes
internal import Views

/// The start page, the inbox and the accounts of `onward dev`.
struct DevPages: Sendable {
    let development: Site.Development
    let origin: WebURL
    /// Opens the sealed mails of the inbox.
    let outbox: Outbox
    let projects: CurrentProjects
    let accounts: Accounts
    let views: Views
    let brand: Brand
    let renderer: PageRenderer
    let crossOrigin: CrossOrigin
    let sameOrigin: SameOrigin
    /// The script of these pages.
    let script: PublicFile

    static let routes: [Route] =
        [
            route("/", label: "root", documentation: .startPage) { pages, request throws(ActionError) in
                request.wantsHTML ? try await pages.start() : pages.shared(emulatorIsReady, request)
            },
            // The continue URL of the samples.
            route(arrivalPath, label: "devPage") { pages, request in pages.arrival(request) },
            route(Views.devScriptPath, label: "devPage") { pages, request in pages.script.response(to: request) },
        ] + inboxRoutes + galleryRoutes + accountRoutes + standInRoutes

    static func route(
        _ path: String, methods: Route.Methods = .read, label: String = "inbox", documentation: RouteDocumentation? = nil,
        _ page: @escaping @Sendable (DevPages, Request) async throws(ActionError) -> Response
    ) -> Route {
        Route(
            methods, path, label: RouteLabel(label, .page), isDevelopmentOnly: true, documentation: documentation,
            handler: .page { site, request in
                guard let pages = site.devPages else { return nil }
                do throws(ActionError) { return try await page(pages, request) } catch {
                    return pages.renderer.error(.failed(error), PageContext(request))
                }
            })
    }

    /// A route for a form of these pages, which no other website may send (V8).
    static func form(
        _ path: String, label: String, _ page: @escaping @Sendable (DevPages, Request, DevForm) async throws(ActionError) -> Response
    ) -> Route {
        route(path, methods: .only(.post), label: label) { pages, request throws(ActionError) in
            guard pages.isOwnForm(request) else { return pages.renderer.error(.foreignOrigin, PageContext(request)) }
            return try await page(pages, request, DevForm(request))
        }
    }

    /// A page that the developer's browser shows.
    /// - Parameters:
    ///   - hasFrame: whether it shows a mail or another page.
    ///   - formTarget: where its form may lead, beside this server.
    func response(_ page: DevPage, hasFrame: Bool = false, formTarget: String? = nil) -> Response {
        var response = Response.page(html: views.html(page), formTarget: formTarget, frames: hasFrame, connects: !hasFrame)
        // The forms of these pages are known by their origin, which browsers hide otherwise.
        response.headers[.referrerPolicy] = "same-origin"
        return response
    }

    func notFound(_ request: Request) -> Response { renderer.error(.notFound, PageContext(withoutLink: request)) }

    /// The response that scripts wait for after they started the Auth emulator.
    private static let emulatorIsReady = Response.json(
        .ok, .object(["authEmulator": .object(["ready": .bool(true), "docs": "/openapi.json", "apiSpec": "/openapi.json"])]))

    /// The number of accounts on the start page.
    private static let shownAccounts = 6

    private func start() async throws(ActionError) -> Response {
        let stored = try await accounts.store.profiles(Accounts.PageRequest(limit: 100), in: development.project)
            .map(\.account).sorted { $0.createdAt > $1.createdAt }
        let shown = stored.compactMap { account -> DevStart.ShownAccount? in
            guard let email = account.email else { return nil }
            return DevStart.ShownAccount(address: email.value, password: development.password(of: account))
        }
        return response(
            .start(
                DevStart(
                    brand: brand, origin: origin.origin, project: projects.value.name(of: development.project).rawValue,
                    others: projects.separate.map(\.rawValue), awaitsName: projects.value.awaitsName, apiKey: development.apiKey,
                    hasFirebasePasswordRules: development.hasFirebasePasswordRules, accounts: Array(shown.prefix(Self.shownAccounts)),
                    mails: try await development.inbox.mails(.all).count)))
    }
}

extension Site.Development {
    /// The public password of a sample account; nil for others, and once it was changed.
    fileprivate func password(of account: Account) -> String? {
        guard account.passwordUpdatedAt == account.createdAt else { return nil }
        return sampleAccounts.first { $0.email == account.email || $0.email == account.initialEmail }?.password
    }
}
