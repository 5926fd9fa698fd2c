internal import Accounts
internal import EmailActions
internal import JSON
internal import WebURL

extension Call {
    /// `accounts:createAuthUri`, for the ways an address may sign in. Where accounts are hidden it tells none.
    ///
    /// The continue URI is not one: clients send the page they run on, or Google's. Nobody is sent there, so no list is asked.
    func createAuthUri() async throws(ActionError) -> JSON {
        // Who asks for a provider's page has no identifier.
        guard !body.has("providerId") else { throw .refused(.operationNotAllowed, detail: NotOffered.providers.rawValue) }
        guard let identifier = try body.text("identifier") else { throw .refused(.missingIdentifier) }
        guard let continueURI = try body.text("continueUri") else { throw .refused(.missingContinueURI) }
        guard let email = EmailAddress(identifier) else { throw .refused(.invalidIdentifier) }
        guard (try? WebURL(continueURI)) != nil else { throw .refused(.invalidContinueURI) }
        try admit(.probe)
        let sessionID = try body.text("sessionId") ?? Base64URL.encode(site.accounts.random(20))
        let kind: JSON = "identitytoolkit#CreateAuthUriResponse"
        guard !project.hidesAccounts else { return .object(["kind": kind, "sessionId": .string(sessionID)]) }

        let profile = try await site.accounts.profiles([.email(email)], in: project.id).first
        let password = profile?.account.passwordHash == nil ? [] : ["password"]
        let link = profile?.account.emailLinkSignIn == true ? ["emailLink"] : []
        // A phone number signs nobody in by an address.
        let linked = profile?.linkedProviders.map(\.provider) ?? []
        return .object([
            "kind": kind,
            "registered": .bool(profile != nil),
            "allProviders": .array((password + linked).map { .string($0) }),
            "signinMethods": .array((password + link + linked).map { .string($0) }),
            "sessionId": .string(sessionID),
        ])
    }
}
