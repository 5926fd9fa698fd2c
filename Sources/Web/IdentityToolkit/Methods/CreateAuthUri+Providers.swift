internal import Accounts
internal import Base

extension Call {
    /// The maximum length of the URL that a provider sends users back to. It is limited because the
    /// URL is also in `state`.
    private static let longestPage = 1_000

    /// `accounts:createAuthUri` with a provider: the URL of its sign-in page.
    ///
    /// The user comes to the page of the app with the proof of who they are. So it has to be one of
    /// the project's, and the client must have the session id, which the provider does not get.
    /// Refuses `MISSING_CONTINUE_URI`, `INVALID_CONTINUE_URI`, `UNAUTHORIZED_DOMAIN` and
    /// `OPERATION_NOT_ALLOWED`.
    func createAuthUri(of provider: String) async throws(ActionError) -> JSON {
        let (continueURI, returnURI) = (try appPage("continueUri"), try appPage("returnUri"))
        guard returnURI != nil || continueURI != nil else { throw .refused(.missingContinueURI) }
        // A page that redirects to a place in its query would hand the answer on.
        guard returnURI?.utf8.contains(UInt8(ascii: "?")) != true else {
            throw .refused(.invalidContinueURI, detail: "returnUri has to be without a query")
        }
        guard continueURI == nil || returnURI == nil else {
            throw .refused(.invalidContinueURI, detail: "Send continueUri or returnUri, not both")
        }
        let visit =
            if let returnURI { toolkit.departure.visit(to: provider, of: project, returnsTo: .page(returnURI)) } else {
                ProviderVisit(provider: provider, continueURI: continueURI ?? "", random: accounts.random)
            }
        return try await providerPage(visit)
    }

    /// A page of the app in a field of the body; nil if it is absent.
    private func appPage(_ field: String) throws(ActionError) -> String? {
        guard let page = try body.text(field) else { return nil }
        guard page.utf8.count <= Self.longestPage, let url = try? WebURL(page), url.fragment == nil, url.isWeb else {
            throw .refused(.invalidContinueURI, detail: "A provider needs a web page of at most \(Self.longestPage) bytes, without #")
        }
        do throws(AuthorizedDomains.NotAuthorized) { _ = try project.authorizedDomains.authorize(url) } catch {
            throw .refused(.unauthorizedDomain, detail: "\(field): \(error.explanation)")
        }
        return page
    }

    private func providerPage(_ visit: ProviderVisit) async throws(ActionError) -> JSON {
        let sessionID = try body.text("sessionId", maxBytes: 1024) ?? Base64URL.encode(accounts.random(20))
        let scopes = try (body.text("oauthScope", maxBytes: ProviderPageRequest.longestScopes) ?? "").split(separator: " ").map(String.init)
        let hint = try body.text("identifier", maxBytes: 320)
        let address = try await toolkit.departure.address(
            of: visit, begunIn: VisitSession(id: sessionID), by: client, in: project
        ) { page throws(ActionError) in
            (page.scopes, page.loginHint) = (scopes, hint)
            try page.add(body["customParameter"])
        }
        return .object([
            "kind": "identitytoolkit#CreateAuthUriResponse", "authUri": .string(address), "providerId": .string(visit.provider),
            "sessionId": .string(sessionID),
        ])
    }
}
