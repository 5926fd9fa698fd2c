internal import Accounts
internal import Base
internal import HTTPTypes
internal import Logging
internal import Views

/// The page that providers send users back to. It leads them on to the page of the app where their
/// visit began, with the provider's answer in the fragment. One address can so be registered
/// at a provider for all apps of a project. It changes nothing, so any site may send its form.
///
/// Source: OAuth 2.0 Form Post Response Mode 1.0; RFC 9700 sections 4.4.2 and 4.11.
struct ProviderReturn: Sendable {
    let origin: WebURL
    let projects: CurrentProjects
    let accounts: Accounts
    let renderer: PageRenderer
    let logger: Logger

    private static let path = "/__/auth/handler"
    private static let ownPath = path + "/{project}/{id}"

    /// The address that a provider sends users back to. Each OpenID provider has its own: otherwise
    /// it could lead its visitors on to another provider, and get the answer of that one.
    static func address(for provider: String, of project: ProjectID, at origin: WebURL) -> String {
        guard IdentityProvider.Kind(id: provider) == .openID else { return origin.origin + path }
        return origin.origin + [path, WebURL.percentEncoded(project.rawValue), provider].joined(separator: "/")
    }

    /// The template of the path of an OpenID provider's own address; nil for every other path.
    static func template(of path: String) -> String? { path.hasPrefix(Self.path + "/") ? ownPath : nil }

    static let routes = routes(at: path, documented: "providerReturn") + routes(at: ownPath, documented: "ownProviderReturn")

    private static func routes(at path: String, documented id: String) -> [Route] {
        [
            Route(
                .read, path, label: RouteLabel("providerReturn", .page),
                documentation: .page(
                    id, "Leads a user who comes back from a provider on to the page of the app where the visit began.",
                    parameters: ["state", "code", "error"]),
                handler: .page { $0.providerReturn.leadOn($1, $1.query) }),
            Route(
                .only(.post), path, label: RouteLabel("providerReturn", .page),
                documentation: .page(id + ".posted", "The same, for providers that post their answer.", takesForm: true),
                handler: .page { $0.providerReturn.leadOn($1, $1.form ?? []) }),
        ]
    }

    private func leadOn(_ request: Request, _ answer: [(name: String, value: String)]) -> Response {
        let states = answer.filter { $0.name == "state" }.map(\.value)
        let route = states.first.flatMap { VisitRoute(state: $0, at: accounts.now(), by: accounts.secrets) }
        let project = route.flatMap { projects.value[$0.project] }
        do throws(ReturnRefusal) {
            guard !states.isEmpty else { throw answer.contains { $0.name == "authType" } ? .googleResolver : .noAnswer }
            guard states.count == 1, answer.count <= Request.maxParameters else { throw .notKnown }
            guard let route, let project, route.continueURI == origin.origin + request.path else { throw .notKnown }
            return .seeOther(try appPage(route, project, answer))
        } catch {
            logger.notice(
                "user of a provider not led on", metadata: ["request": "\(request.id)"].with(client: ["reason": error.explanation]))
            let named = project ?? request["apiKey"].flatMap(projects.value.project(apiKey:))
            // Its accounts, and its providers, are at the upstream.
            guard named?.upstream == nil else { return renderer.error(.notFound, PageContext(request, project: named)) }
            return renderer.error(.returnRefused(error), PageContext(request, project: named))
        }
    }

    /// The page of the app with the answer, as its state says and as the project allows it now.
    private func appPage(
        _ route: VisitRoute, _ project: Project, _ answer: [(name: String, value: String)]
    ) throws(ReturnRefusal) -> String {
        guard let page = route.returnURI else { throw .notKnown }
        do throws(AuthorizedDomains.NotAuthorized) {
            return try project.authorizedDomains.authorize(page).serialized(withFragment: answer)
        } catch { throw .notAuthorized(error) }
    }
}

/// Why a user who comes back from a provider is not led on.
enum ReturnRefusal: Error, Sendable {
    /// The page was opened by Google's resolver, which every app has that names no other.
    case googleResolver
    /// The page was opened without a provider's answer.
    case noAnswer
    /// The state is not this server's, older than 15 minutes, or that of another provider.
    case notKnown
    /// The page of the app is not one of the project's any more.
    case notAuthorized(AuthorizedDomains.NotAuthorized)

    var explanation: String {
        switch self {
        case .googleResolver:
            "The app uses the resolver of Google's servers. Give it onwardResolver of /onward.js; see Popups in Docs/Clients.md."
        case .noAnswer: "Providers send users here after createAuthUri with returnUri; see Popups in Docs/Clients.md."
        case .notKnown: "state is not of this server, of another provider, or older than 15 minutes; start again from the app."
        case .notAuthorized(let error): "returnUri: \(error.explanation)"
        }
    }

    var pageReason: ErrorPage.Reason {
        switch self {
        case .googleResolver, .noAnswer: .signInUnfinished(advice: explanation)
        case .notKnown: .signInUnfinished(advice: nil)
        case .notAuthorized(.notListed(let host, _)): .placeRefused(host: host)
        case .notAuthorized: .linkRefused
        }
    }
}
