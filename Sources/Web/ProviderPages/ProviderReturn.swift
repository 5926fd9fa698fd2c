internal import Accounts
internal import Base
internal import HTTPTypes
internal import Logging
internal import Views

/// The page that providers send users back to. It leads them on to the page of the app where their
/// visit began, with the provider's answer in the fragment. One address can so be registered
/// at a provider for all apps of a project. It changes nothing, so any site may send its form.
///
/// Source: OAuth 2.0 Form Post Response Mode 1.0; RFC 9700 section 4.11.
struct ProviderReturn: Sendable {
    let projects: CurrentProjects
    let accounts: Accounts
    let renderer: PageRenderer
    let logger: Logger

    private static let path = "/__/auth/handler"

    static func address(at origin: WebURL) -> String { origin.origin + path }

    static let routes: [Route] = [
        Route(
            .read, path, label: RouteLabel("providerReturn", .page),
            documentation: .page(
                "providerReturn", "Leads a user who comes back from a provider on to the page of the app where the visit began.",
                parameters: ["state", "code", "error"]),
            handler: .page { $0.providerReturn.leadOn($1, $1.query) }),
        Route(
            .only(.post), path, label: RouteLabel("providerReturn", .page),
            documentation: .page("postedProviderReturn", "The same, for providers that post their answer.", takesForm: true),
            handler: .page { $0.providerReturn.leadOn($1, $1.form ?? []) }),
    ]

    private func leadOn(_ request: Request, _ answer: [(name: String, value: String)]) -> Response {
        let states = answer.filter { $0.name == "state" }.map(\.value)
        let route = states.first.flatMap { VisitRoute(state: $0, at: accounts.now(), by: accounts.secrets) }
        let project = route.flatMap { projects.value[$0.project] }
        do throws(ReturnRefusal) {
            guard !states.isEmpty else { throw answer.contains { $0.name == "authType" } ? .googleResolver : .noAnswer }
            guard states.count == 1, answer.count <= Request.maxParameters else { throw .notKnown }
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
        _ route: VisitRoute?, _ project: Project?, _ answer: [(name: String, value: String)]
    ) throws(ReturnRefusal) -> String {
        guard let page = route?.returnURI, let project else { throw .notKnown }
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
    /// The state is not this server's, or older than a quarter of an hour.
    case notKnown
    /// The page of the app is not one of the project's any more.
    case notAuthorized(AuthorizedDomains.NotAuthorized)

    var explanation: String {
        switch self {
        case .googleResolver:
            "The app uses the resolver of Google's servers. Give it onwardResolver of /onward.js; see Popups in Docs/Clients.md."
        case .noAnswer: "Providers send users here after createAuthUri with returnUri; see Popups in Docs/Clients.md."
        case .notKnown: "state is missing, not of this server, or older than 15 minutes; start again from the app."
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
