internal import Accounts
internal import Base
internal import Views

/// The page that plays a provider in development, so that popups and redirects work without the
/// internet: the developer chooses or types the user who signs in.
extension DevPages {
    static let standInRoutes: [Route] = [
        route(StandInProvider.path, label: "standInProvider") { pages, request throws(ActionError) in
            guard let visit = StandInProvider(request.query, pages) else { return pages.standInEnded(request) }
            return try await pages.choice(visit)
        },
        form(StandInProvider.path, label: "standInProvider") { pages, request, form throws(ActionError) in
            guard let visit = StandInProvider(request.form ?? [], pages) else { return pages.standInEnded(request) }
            guard form["do"] != "deny" else { return .seeOther(visit.answer([("error", "access_denied")])) }
            guard let user = try await pages.user(form, visit) else { return try await pages.choice(visit, isIncomplete: true) }
            return .seeOther(visit.answer([("id_token", user.unsignedToken)]))
        },
    ]

    private func standInEnded(_ request: Request) -> Response { renderer.error(.handlerRefused(.notKnown), PageContext(request)) }

    private func choice(_ visit: StandInProvider, isIncomplete: Bool = false) async throws(ActionError) -> Response {
        let users = try await knownUsers(of: visit)
        let page = DevProvider(
            brand: brand, name: visit.name, path: StandInProvider.path, state: visit.state, hint: visit.hint,
            users: users.map { .init(id: $0.id, address: $0.address ?? $0.id, name: $0.name) }, isIncomplete: isIncomplete)
        return response(.provider(page), formTarget: visit.appScheme + ":")
    }

    /// The users of the provider who are linked to accounts.
    private func knownUsers(of visit: StandInProvider) async throws(ActionError) -> [StandInUser] {
        try await accounts.store.profiles(Accounts.PageRequest(limit: 100), in: visit.project).compactMap { profile in
            guard let link = profile.linkedProviders.first(where: { $0.provider == visit.provider }) else { return nil }
            return StandInUser(id: link.rawID, address: link.shownEmail, name: link.displayName, isVerified: true)
        }
    }

    /// The user that the developer chose or typed; nil if neither.
    private func user(_ form: DevForm, _ visit: StandInProvider) async throws(ActionError) -> StandInUser? {
        if let id = form["user"] { return try await knownUsers(of: visit).first { $0.id == id } }
        guard let address = form["email"].flatMap({ EmailAddress($0) }) else { return nil }
        // The same address is the same user the next time.
        return StandInUser(
            id: address.value.lowercased(), address: address.value, name: form["name"], isVerified: form["verified"] != nil)
    }
}

/// A visit to the page that plays a provider.
struct StandInProvider {
    static let path = "/emulator/provider"

    let provider: String
    let project: ProjectID
    let state: String
    /// The name that people know the provider by.
    let name: String
    let hint: String
    private let continueURI: WebURL
    /// The scheme of the place of the app where the visit ends.
    let appScheme: String

    static func address(of request: ProviderPageRequest, at origin: WebURL) -> String {
        let hint = request.loginHint ?? request.parameters.first { $0.name == "login_hint" }?.value
        let items = [("state", request.state), ("redirect_uri", request.visit.continueURI)] + (hint.map { [("login_hint", $0)] } ?? [])
        return origin.origin + path + "?" + items.map { "\($0)=\(WebURL.percentEncoded($1))" }.joined(separator: "&")
    }

    /// Nil if no visit of the last quarter of an hour has the state.
    fileprivate init?(_ items: [(name: String, value: String)], _ pages: DevPages) {
        func item(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard let state = item("state"), let route = VisitRoute(state: state, at: pages.accounts.now(), by: pages.accounts.secrets),
            let project = pages.projects.value[route.project], let page = try? WebURL(route.continueURI)
        else { return nil }
        (provider, self.project, self.state, hint) = (route.provider, route.project, state, item("email") ?? item("login_hint") ?? "")
        (name, continueURI, appScheme) = (project.name(ofProvider: route.provider), page, route.returnsTo?.scheme ?? page.scheme)
    }

    fileprivate func answer(_ items: [(name: String, value: String)]) -> String {
        continueURI.appending(query: [("state", state)] + items).serialized
    }
}

extension VisitReturn {
    fileprivate var scheme: String {
        switch self {
        // The page was read when the visit began.
        case .page(let page): String(page.prefix { $0 != ":" })
        case .app(let app):
            switch app.kind {
            case .apple(_, let scheme): scheme
            case .android: "intent"
            }
        }
    }
}

/// A user of a provider as the developer plays them.
private struct StandInUser {
    let id: String
    let address: String?
    let name: String?
    let isVerified: Bool

    /// An ID token as the Auth emulator accepts it.
    var unsignedToken: String {
        let claims: JSON = .object([
            "sub": .string(id), "email": .string(ifAny: address), "email_verified": .bool(isVerified), "name": .string(ifAny: name),
        ])
        let header: JSON = .object(["alg": "none", "typ": "JWT"])
        return "\(Base64URL.encode(header.bytes)).\(Base64URL.encode(claims.bytes))."
    }
}
