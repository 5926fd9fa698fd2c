internal import Accounts
internal import AppLinks
internal import Base

/// Visits that Firebase's SDK on a phone begins. It opens this page in a browser, and waits for a
/// link that opens the app.
///
/// Source: firebase-ios-sdk 12, `OAuthProvider` and `PhoneAuthProvider`.
extension ProviderHandler {
    func begin(_ request: Request) async -> Response {
        let project = request["apiKey"].flatMap(projects.value.project(apiKey:))
        do throws(HandlerRefusal) {
            guard let project, project.upstream == nil else { throw .unknownKey }
            guard request.query.count <= Request.maxParameters else { throw .incompleteApp }
            let app = try waitingApp(request)
            // Nothing is done for an app that will not be told of it.
            _ = try app.link(to: .failure(code: "", message: ""), from: origin, in: project)
            let message: WaitingApp.Message
            do throws(ActionError) { return .seeOther(try await page(for: app, request, project)) } catch {
                message = failure(error, request)
            }
            return .seeOther(try app.link(to: message, from: origin, in: project))
        } catch { return refused(error, request, project) }
    }

    private func waitingApp(_ request: Request) throws(HandlerRefusal) -> WaitingApp {
        guard let event = request["eventId"], (1...128).contains(event.utf8.count), let type = request["authType"],
            type.utf8.count <= 64
        else { throw .incompleteApp }
        if let name = request["apn"] {
            guard departure.isDevelopment else { throw .android }
            return WaitingApp(.android(packageName: name), eventID: event, authType: type)
        }
        guard let bundleID = request["ibi"], RegisteredApps.isPossibleID(bundleID) else { throw .incompleteApp }
        // The parts of a client id in reverse, or the app id, are what the SDK has registered.
        let reversed = request["clientId"].map { $0.split(separator: ".").reversed().joined(separator: ".") }
        guard let scheme = reversed ?? request["appId"].map({ "app-" + $0.replacing(":", with: "-") }),
            scheme.utf8.count <= 128, WebURL.isAppScheme(scheme)
        else { throw .incompleteApp }
        return WaitingApp(.apple(bundleID: bundleID, scheme: scheme), eventID: event, authType: type)
    }

    /// The URL of the provider's page.
    private func page(for app: WaitingApp, _ request: Request, _ project: Project) async throws(ActionError) -> String {
        guard app.authType != "verifyApp" else {
            throw .refused(
                .operationNotAllowed,
                detail: "Sign-in by phone needs Google's check of the app, which this server does not have; see Docs/Clients.md")
        }
        guard request["tid"] == nil else { throw .refused(.tenantsNotOffered, detail: NotOffered.tenants.rawValue) }
        guard let provider = request["providerId"] else { throw .refused(.missingProviderID) }
        let session: VisitSession?
        switch app.kind {
        case .apple:
            guard let digest = request["sessionId"].flatMap({ VisitSession(digest: $0) }) else {
                throw .refused(.invalidSessionInfo, detail: "sessionId has to be the SHA-256 of a session id")
            }
            session = digest
        // It is not known what Android's SDK makes of the session id.
        case .android: session = nil
        }
        let scopes = (request["scopes"] ?? "").split(separator: ",").map(String.init)
        let own = request["customParameters"].flatMap { try? JSON(Array($0.utf8)) }
        let visit = departure.visit(to: provider, of: project, returnsTo: .app(app))
        return try await departure.address(of: visit, begunIn: session, by: request.client, in: project) {
            page throws(ActionError) in
            page.scopes = scopes
            try page.add(own)
        }
    }

    /// The error as the SDK of the web names it. Apple's SDK has its own errors for a few codes,
    /// and shows the others with the message.
    private func failure(_ error: ActionError, _ request: Request) -> WaitingApp.Message {
        RequestError.failed(error).log(to: logger, request)
        let code =
            switch error {
            case .unavailable: "network-request-failed"
            case .tooSoon: "too-many-requests"
            case .refused(.operationNotAllowed, _): "operation-not-allowed"
            case .refused: "internal-error"
            }
        return .failure(code: "auth/" + code, message: ErrorReport(.failed(error), at: accounts.now()).message)
    }
}

extension Request {
    /// Whether the SDK of a phone opened the page, which names its app.
    var isOfPhone: Bool { self["ibi"] != nil || self["apn"] != nil }
}
