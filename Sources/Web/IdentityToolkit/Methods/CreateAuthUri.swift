internal import Accounts
internal import Base

extension APIMethod {
    static let createAuthUri = APIMethod(
        "createAuthUri",
        documentation: MethodDocumentation(
            summary: "Tells how an address may sign in, unless accounts are hidden; with a provider, where its sign-in page is.",
            fields: [
                Property("identifier", .text, "The address."),
                Property(
                    "continueUri", .text,
                    "Any page, which is never opened. With providerId the page to which the provider sends the user back: one of the project's domains, and registered at the provider."
                ),
                Property(
                    "returnUri", .text,
                    "With providerId, in place of continueUri: the page of the app that the user ends at, on one of the project's domains, without a query. The provider sends the user to redirect_uri of authUri, a page of this server, which leads on to it."
                ),
                Property("sessionId", .text, "Repeated in the response. With providerId a secret of the client, for signInWithIdp."),
                Property("providerId", .text, "google.com, apple.com, microsoft.com, facebook.com, github.com or oidc.*."),
                Property("oauthScope", .text, "Further scopes, separated by spaces."),
                Property("customParameter", .map(.text), "Further parameters of the provider's page."),
            ],
            response: .kind("CreateAuthUriResponse") + [
                Property("registered", .flag), Property("allProviders", .list(.text)), Property("signinMethods", .list(.text)),
                .always("sessionId", .text), Property("authUri", .text, "The provider's page."), Property("providerId", .text),
            ],
            refusals: [
                .missingIdentifier, .missingContinueURI, .invalidIdentifier, .invalidContinueURI, .unauthorizedDomain, .operationNotAllowed,
            ]),
        run: { (call) throws(ActionError) in try await call.createAuthUri() })
}

extension Call {
    /// `accounts:createAuthUri`: the ways an address may sign in; none if accounts are hidden.
    ///
    /// The continue URI only has to be absolute, because it is never opened: clients send the page
    /// they run on, or Google's.
    func createAuthUri() async throws(ActionError) -> JSON {
        if let provider = try body.text("providerId") { return try await createAuthUri(of: provider) }
        guard let identifier = try body.text("identifier") else { throw .refused(.missingIdentifier) }
        guard let continueURI = try body.text("continueUri") else { throw .refused(.missingContinueURI) }
        guard let email = EmailAddress(identifier) else { throw .refused(.invalidIdentifier) }
        guard WebURL.isAbsolute(continueURI) else { throw .refused(.invalidContinueURI) }
        return try await counted(by: [.probe]) { () throws(ActionError) in try await signInMethods(of: email) }
    }

    private func signInMethods(of email: EmailAddress) async throws(ActionError) -> JSON {
        let sessionID = try body.text("sessionId") ?? Base64URL.encode(accounts.random(20))
        let kind: JSON = "identitytoolkit#CreateAuthUriResponse"
        guard !project.hidesAccounts else { return .object(["kind": kind, "sessionId": .string(sessionID)]) }

        let profile = try await accounts.profiles([.email(email)], in: project.id).first
        let methods =
            if let profile { profile.signInMethods } else { try await accounts.providers(verifying: email, in: project.id) }
        return .object([
            "kind": kind,
            "registered": .bool(profile != nil || !methods.isEmpty),
            "allProviders": .array(methods.providers.map { .string($0) }),
            "signinMethods": .array(methods.map { .string($0) }),
            "sessionId": .string(sessionID),
        ])
    }
}

extension [String] {
    /// The providers of sign-in methods; a link is one of the provider `password`.
    fileprivate var providers: [String] {
        reduce(into: []) { providers, method in
            let provider = method == "emailLink" ? "password" : method
            if !providers.contains(provider) { providers.append(provider) }
        }
    }
}

extension Accounts.Profile {
    /// The ways to sign in with the account's address. A phone number is none.
    var signInMethods: [String] {
        (account.passwordHash == nil ? [] : ["password"]) + (account.emailLinkSignIn ? ["emailLink"] : [])
            + linkedProviders.map(\.provider)
    }
}
