internal import Accounts
internal import Base

/// The proof of who a provider's user is, as a client sent it.
enum ProviderProof: Sendable {
    /// A token that the client got from the provider.
    case credential(ProviderCredential)
    /// The parameters that the provider gave to the app's page, after `createAuthUri`.
    case answer(ProviderAnswer, of: ProviderVisit)
    /// A token of this server about an earlier call.
    case pending(VerifiedIdentity)
}

extension Call {
    /// The proof in a call. Only what this server made itself is verified. Refuses
    /// `INVALID_CREDENTIAL_OR_PROVIDER_ID`, `INVALID_REQUEST_URI`, `INVALID_PENDING_TOKEN` and
    /// `INVALID_IDP_RESPONSE`.
    /// - Parameter page: `requestUri`, which a provider adds its answer to. It is read only in a
    ///   session of `createAuthUri`; other clients send the page they run on.
    func providerProof(_ page: String) throws(ActionError) -> ProviderProof {
        if let token = try body.text("pendingToken") {
            return .pending(try toolkit.credentials.identity(ofPending: token, in: project.id))
        }
        let form = WebURL.formItems(in: try body.text("postBody") ?? "")
        guard let sessionID = try body.text("sessionId") else { return .credential(try providerCredential(ProofItems(form))) }
        guard let page = try? WebURL(page) else { throw .refused(.invalidRequestURI) }
        let returned = page.queryItems + WebURL.formItems(in: page.fragment ?? "") + form
        guard returned.contains(where: { $0.name == "state" }) else { return .credential(try providerCredential(ProofItems(form))) }
        let items = try ProofItems(returned)
        guard let state = try items["state"],
            let visit = SealedVisit(state: state, for: sessionID, in: project.id, at: accounts.now(), by: accounts.secrets)?.visit,
            let continueURI = try? WebURL(visit.continueURI), (page.origin, page.path) == (continueURI.origin, continueURI.path)
        else {
            throw .refused(.invalidIDPResponse, detail: "state is missing, older than 15 minutes, or of another session; start again")
        }
        if let error = try items["error"] {
            guard !Self.denials.contains(error) else { throw .refused(.userCancelled, detail: "The user did not let the app sign in") }
            let isCode = error.utf8.count <= 64 && error.utf8.allSatisfy { $0 == UInt8(ascii: "_") || (0x61...0x7a).contains($0) }
            throw .refused(.invalidIDPResponse, detail: "The provider reports \(isCode ? error : "an error")")
        }
        var answer = ProviderAnswer()
        (answer.code, answer.idToken, answer.accessToken) = (try items["code"], try items["id_token"], try items["access_token"])
        (answer.issuer, answer.appleUser) = (try items["iss"], try items["user"])
        return .answer(answer, of: visit)
    }

    /// The errors that a provider returns if its user pressed *Deny*. Source: RFC 6749 section
    /// 4.1.2.1; Apple, *Request an authorization to the Sign in with Apple server*.
    private static let denials: Set = ["access_denied", "user_cancelled_authorize"]

    /// Verifies a proof, which may mean to ask the provider. Refuses what the verifier refuses.
    func verified(_ proof: ProviderProof) async throws(ActionError) -> (VerifiedIdentity, ProviderCredential) {
        try await counted(by: [.provider]) { () throws(ActionError) in try await identity(of: proof) }
    }

    private func identity(of proof: ProviderProof) async throws(ActionError) -> (VerifiedIdentity, ProviderCredential) {
        switch proof {
        case .credential(let credential):
            return (try await toolkit.credentials.verify(credential, project.providers[credential.provider], in: project.id), credential)
        case .answer(let answer, let visit):
            return try await toolkit.credentials.verify(answer, of: visit, project.providers[visit.provider], in: project.id)
        case .pending(let identity):
            guard project.providers[identity.provider]?.isEnabled == true else { throw .providerNotOffered }
            return (identity, ProviderCredential(provider: identity.provider))
        }
    }

    /// Refuses ids of no identity provider, and providers without ID tokens and access tokens.
    static func requireTokens(of provider: String) throws(ActionError) {
        guard (1...128).contains(provider.utf8.count), !LinkedProvider.builtInIDs.contains(provider) else { throw .noProvider }
        guard provider != "playgames.google.com", !provider.hasPrefix("saml.") else { throw .providerNotOffered }
    }

    /// The credential in `postBody`, a form. Refuses `INVALID_CREDENTIAL_OR_PROVIDER_ID`.
    private func providerCredential(_ items: ProofItems) throws(ActionError) -> ProviderCredential {
        guard let provider = try items["providerId"] else { throw .noProvider }
        try Self.requireTokens(of: provider)
        var credential = ProviderCredential(provider: provider)
        (credential.idToken, credential.accessToken) = (try items["id_token"], try items["access_token"])
        (credential.rawNonce, credential.appleUser) = (try items["nonce"], try items["user"])
        guard credential.idToken != nil || credential.accessToken != nil else {
            throw .invalidPostBody("there must be an id_token or an access_token")
        }
        return credential
    }
}

/// The parameters of a proof, each at most once.
private struct ProofItems {
    private static let maxCount = 32
    private let items: [(name: String, value: String)]

    init(_ items: [(name: String, value: String)]) throws(ActionError) {
        guard items.count <= Self.maxCount else { throw .invalidPostBody("there are too many parameters") }
        self.items = items
    }

    /// Nil if the parameter is absent or empty.
    subscript(name: String) -> String? {
        get throws(ActionError) {
            let found = items.filter { $0.name == name }
            guard found.count < 2 else { throw .invalidPostBody("\(name) appears twice") }
            return found.first.flatMap { $0.value.isEmpty || $0.value.utf8.contains(0) ? nil : $0.value }
        }
    }
}

extension ActionError {
    fileprivate static let noProvider = invalidPostBody("providerId must name an identity provider")

    fileprivate static func invalidPostBody(_ fault: String) -> ActionError {
        .refused(.invalidCredentialOrProviderID, detail: "Invalid IdP response/credential in postBody: \(fault)")
    }
}
