internal import Accounts
internal import Base

extension APIMethod {
    static let signInWithIdp = APIMethod(
        "signInWithIdp",
        documentation: MethodDocumentation(
            summary: "Signs in with the credential of an identity provider; with an ID token, links the provider to that account.",
            fields: [
                .always(
                    "requestUri", .text,
                    "Any page, which is never opened; after createAuthUri the URL to which the provider sent the user, with its answer."),
                Property(
                    "postBody", .text,
                    "A form: providerId, and id_token or access_token; if the token has a hashed nonce also nonce, else MISSING_OR_INVALID_NONCE. After createAuthUri what the provider posted to the page."
                ),
                Property("sessionId", .text, "After createAuthUri: that of its response."),
                Property("pendingToken", .text, "Of an earlier response: repeats that sign-in, or links its user."),
                Property("idToken", .text), Property("autoCreate", .flag, "Whether an account may be created; true if absent."),
                Property("returnIdpCredential", .flag, "Whether a refusal to link is a response with `errorMessage`."),
            ],
            response: .kind("VerifyAssertionResponse") + [
                .always("providerId", .text), .always("federatedId", .text), .always("rawUserInfo", .text, "JSON in a string."),
                Property("localId", .text), Property("email", .text), .always("emailVerified", .flag), Property("displayName", .text),
                Property("fullName", .text), Property("firstName", .text), Property("lastName", .text), Property("screenName", .text),
                Property("photoUrl", .text), Property("oauthIdToken", .text), Property("oauthAccessToken", .text),
                Property("pendingToken", .text, "After createAuthUri: works for five minutes."),
                Property("isNewUser", .flag), Property("emailRecycled", .flag),
                Property("needConfirmation", .flag, "The address has an account, and the provider does not prove who owns it."),
                Property("verifiedProvider", .list(.text)), Property("errorMessage", .text),
            ] + .tokensIfAny + .secondFactorIfAny,
            refusals: [
                .missingRequestURI, .invalidRequestURI, .invalidCredentialOrProviderID, .invalidIDPResponse, .userCancelled,
                .invalidPendingToken, .operationNotAllowed, .federatedUserIDAlreadyLinked, .emailExists, .userDisabled, .emailNotFound,
                .credentialTooOld,
                .invalidIDToken, .tokenExpired,
            ]),
        run: { (call) throws(ActionError) in try await call.signInWithIdp() })
}

extension Call {
    /// `accounts:signInWithIdp`: signs in with the credential of a provider; with an ID token,
    /// links the provider to that account.
    func signInWithIdp() async throws(ActionError) -> JSON {
        guard let page = try body.text("requestUri") else { throw .refused(.missingRequestURI) }
        guard WebURL.isAbsolute(page) else { throw .refused(.invalidRequestURI) }
        guard !body.has("pendingIdToken") else {
            throw .refused(.operationNotAllowed, detail: "pendingIdToken is not offered by this server; send pendingToken")
        }
        let proof = try providerProof(page)
        guard let user = try signedInUser() else {
            let (identity, credential) = try await verified(proof)
            return try await signIn(identity, credential)
        }
        try accounts.requireRecentSignIn(toLink: user)
        return try await link(proof, to: user)
    }

    /// Links the user of a provider. The notice is counted before the provider is asked, as its
    /// code works once.
    private func link(_ proof: ProviderProof, to user: SignedInUser) async throws(ActionError) -> JSON {
        let result = try await counted(
            by: Accounts.attempts(changing: user.account), as: { $0.refusal.map { .refused($0) } ?? .done }
        ) { () throws(ActionError) -> LinkResult in
            let (identity, credential) = try await verified(proof)
            do throws(ActionError) {
                return LinkResult(identity, credential, account: try await link(identity, to: user.account))
            } catch {
                // SDKs make the credential of the other account from the response.
                guard let refusal = error.refusal, [.federatedUserIDAlreadyLinked, .emailExists].contains(refusal),
                    try body.bool("returnIdpCredential") == true
                else { throw error }
                return LinkResult(identity, credential, refusal: refusal)
            }
        }
        guard let account = result.account else {
            return response(result.identity, result.credential, [("errorMessage", .string(ifAny: result.refusal?.rawValue))])
        }
        let tokens = try await accounts.openSession(for: account, by: .provider(result.identity.provider), replacing: user)
        return signedIn(account, result.identity, result.credential, .signedIn(tokens), [])
    }

    private func link(_ identity: VerifiedIdentity, to account: Account) async throws(ActionError) -> Account {
        let work = { () async throws(ActionError) in try await accounts.link(identity, to: account, in: project) }
        // Where accounts are hidden, an account that has an address keeps it, so the answer is the
        // same whether the claimed address is taken.
        guard project.answersClaim(of: identity), account.email == nil || !project.hidesAccounts else { return try await work() }
        // An address that is left out is another account's.
        return try await countedAsAddressQuestion(as: { account.email ?? $0.email == nil ? .refused(.emailExists) : .done }, work)
    }

    private func signIn(_ identity: VerifiedIdentity, _ credential: ProviderCredential) async throws(ActionError) -> JSON {
        let creates = try body.bool("autoCreate") ?? true
        switch try await signIn(identity, creates: creates) {
        case .signedIn(let account, let result):
            let recycled: JSON? = result.isRecycled ? .bool(true) : nil
            let outcome = try await signIn(account, by: .provider(identity.provider))
            return signedIn(
                account, identity, credential, outcome, [("isNewUser", result.isNew ? .bool(true) : nil), ("emailRecycled", recycled)])
        case .noAccount:
            // After `USER_NOT_FOUND`, JavaScript's SDK signs the present user out.
            throw .refused(.emailNotFound)
        case .needsConfirmation(let profile):
            let needed: [(String, JSON?)] = [("needConfirmation", .bool(true))]
            guard !project.hidesAccounts else { return response(identity, credential, needed) }
            return response(
                identity, credential,
                needed + [
                    ("localId", .string(profile.account.id.rawValue)),
                    ("verifiedProvider", .array(profile.signInMethods.map { .string($0) })),
                ])
        }
    }

    /// Signs the user of a provider in. Users with an account are let in, whatever was counted. A
    /// user without one signs up, or asks whether an address is taken that is only claimed.
    private func signIn(_ identity: VerifiedIdentity, creates: Bool) async throws(ActionError) -> ProviderSignIn {
        let known = try await accounts.signIn(identity, upTo: .known, in: project)
        guard case .noAccount = known else { return known }
        let signUp: [LimitedAttempt] = creates ? [.signUp] : []
        let work = { () async throws(ActionError) in
            try await accounts.signIn(identity, upTo: creates ? .new : .claimed, language: language, in: project)
        }
        guard project.answersClaim(of: identity) else { return try await counted(by: signUp, as: \.ending, work) }
        return try await countedAsAddressQuestion(and: signUp, as: \.ending, work)
    }

    private func signedIn(
        _ account: Account, _ identity: VerifiedIdentity, _ credential: ProviderCredential, _ outcome: FirstFactorResult,
        _ more: [(String, JSON?)]
    ) -> JSON {
        response(
            identity, credential,
            [("localId", .string(account.id.rawValue)), ("displayName", .string(ifAny: account.displayName))] + more
        ).adding(outcome.members)
    }

    /// The identity and the credential as the response has them, with more members.
    private func response(_ identity: VerifiedIdentity, _ credential: ProviderCredential, _ more: [(String, JSON?)]) -> JSON {
        let members: [(String, JSON?)] = [
            ("kind", "identitytoolkit#VerifyAssertionResponse"),
            ("providerId", .string(identity.provider)),
            ("federatedId", .string(identity.link.wireID)),
            ("email", .string(ifAny: identity.email?.value)),
            ("emailVerified", .bool(identity.isEmailVerified)),
            ("fullName", .string(ifAny: identity.profile.fullName)),
            ("firstName", .string(ifAny: identity.profile.firstName)),
            ("lastName", .string(ifAny: identity.profile.lastName)),
            ("screenName", .string(ifAny: identity.profile.screenName)),
            ("photoUrl", .string(ifAny: identity.profile.photoURL)),
            ("rawUserInfo", .string(identity.rawUserInfo)),
            ("oauthIdToken", .string(ifAny: credential.idToken)),
            ("oauthAccessToken", .string(ifAny: credential.accessToken)),
            ("pendingToken", .string(ifAny: credential.pendingToken)),
        ]
        return .object((members + more).compactMap { name, value in value.map { JSON.Member(name: name, value: $0) } })
    }
}

/// The result of linking, which a client may want with its credential although it was refused.
private struct LinkResult {
    let identity: VerifiedIdentity
    let credential: ProviderCredential
    let account: Account?
    let refusal: Refusal?

    init(_ identity: VerifiedIdentity, _ credential: ProviderCredential, account: Account? = nil, refusal: Refusal? = nil) {
        (self.identity, self.credential, self.account, self.refusal) = (identity, credential, account, refusal)
    }
}

extension ProviderSignIn {
    fileprivate var ending: AttemptEnd {
        switch self {
        case .signedIn: .done
        case .needsConfirmation: .refused(.emailExists)
        case .noAccount: .refused(.emailNotFound)
        }
    }
}
