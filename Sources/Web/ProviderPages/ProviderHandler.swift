internal import Accounts
internal import Base
internal import HTTPTypes
internal import Logging
internal import Views

/// The page that providers send users back to. It leads them on to the place of the app where their
/// visit began, with the provider's answer: to a page in its fragment, to a phone's app in a
/// link. One address can so be registered at a provider for all apps of a project. It changes
/// nothing, so any site may send its form. Apps on phones open the same page to begin a visit.
///
/// Source: OAuth 2.0 Form Post Response Mode 1.0; RFC 9700 sections 4.4.2 and 4.11.
struct ProviderHandler: Sendable {
    let origin: WebURL
    let projects: CurrentProjects
    let accounts: Accounts
    let departure: ProviderDeparture
    let renderer: PageRenderer
    let logger: Logger

    static let path = "/__/auth/handler"
    /// The path that the SDKs of phones open in emulator mode.
    static let emulatorPath = "/emulator/auth/handler"
    private static let ownPath = path + "/{project}/{id}"

    /// The address that a provider sends users back to. Each OpenID provider has its own: otherwise
    /// it could lead its visitors on to another provider, and get the answer of that one.
    static func address(for provider: String, of project: ProjectID, at origin: WebURL) -> String {
        guard IdentityProvider.Kind(id: provider) == .openID else { return origin.origin + path }
        return origin.origin + [path, WebURL.percentEncoded(project.rawValue), provider].joined(separator: "/")
    }

    /// The template of the path of an OpenID provider's own address; nil for every other path.
    static func template(of path: String) -> String? { path.hasPrefix(Self.path + "/") ? ownPath : nil }

    private static let label = RouteLabel("providerHandler", .page)

    static let routes =
        routes(at: path, documented: "providerReturn") + routes(at: ownPath, documented: "ownProviderReturn") + [
            Route(.read, emulatorPath, label: label, isDevelopmentOnly: true, handler: .page { await $0.providerHandler.open($1) })
        ]

    private static func routes(at path: String, documented id: String) -> [Route] {
        [
            Route(
                .read, path, label: label,
                documentation: .page(
                    id, "Leads a user who comes back from a provider on to the place of the app where the visit began.",
                    parameters: ["state", "code", "error"]),
                handler: .page { site, request in
                    if let passed = await site.passedPages.response(to: request) { return passed }
                    return await site.providerHandler.open(request)
                }),
            Route(
                .only(.post), path, label: label,
                documentation: .page(id + ".posted", "The same, for providers that post their answer.", takesForm: true),
                handler: .page { site, request in
                    if let passed = await site.passedPages.response(to: request) { return passed }
                    return site.providerHandler.leadOn(request, request.form ?? [])
                }),
        ]
    }

    private func open(_ request: Request) async -> Response {
        request["state"] == nil && request.isOfPhone ? await begin(request) : leadOn(request, request.query)
    }

    private func leadOn(_ request: Request, _ answer: [(name: String, value: String)]) -> Response {
        let states = answer.filter { $0.name == "state" }.map(\.value)
        let route = states.first.flatMap { VisitRoute(state: $0, at: accounts.now(), by: accounts.secrets) }
        let project = route.flatMap { projects.value[$0.project] }
        do throws(HandlerRefusal) {
            guard !states.isEmpty else { throw HandlerRefusal(ofPageOpenedBy: request) }
            guard states.count == 1, answer.count <= Request.maxParameters else { throw .notKnown }
            guard let route, let project, route.continueURI == origin.origin + request.path else { throw .notKnown }
            return .seeOther(try place(route, project, answer))
        } catch {
            return refused(error, request, project ?? request["apiKey"].flatMap(projects.value.project(apiKey:)))
        }
    }

    func refused(_ refusal: HandlerRefusal, _ request: Request, _ project: Project?) -> Response {
        logger.notice(
            "user of a provider not led on", metadata: ["request": "\(request.id)"].with(client: ["reason": refusal.explanation]))
        // Its accounts, and its providers, are at the upstream.
        let error = project?.upstream == nil ? RequestError.handlerRefused(refusal) : .notFound
        return renderer.error(error, PageContext(request, project: project))
    }

    /// The place of the app with the answer, as its state says and as the project allows it now.
    private func place(
        _ route: VisitRoute, _ project: Project, _ answer: [(name: String, value: String)]
    ) throws(HandlerRefusal) -> String {
        switch route.returnsTo {
        case nil: throw .notKnown
        case .app(let app)?: return try app.link(to: .answer(answer, at: route.continueURI), from: origin, in: project)
        case .page(let page)?:
            do throws(AuthorizedDomains.NotAuthorized) {
                return try project.authorizedDomains.authorize(page).serialized(withFragment: answer)
            } catch { throw .notAuthorized(error) }
        }
    }
}
