internal import Accounts
internal import EmailActions
internal import JSON
internal import WebURL

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
                .missingRequestURI, .invalidRequestURI, .invalidCredentialOrProviderID, .invalidIDPResponse, .invalidPendingToken,
                .operationNotAllowed, .federatedUserIDAlreadyLinked, .emailExists, .userDisabled, .emailNotFound,
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
        let user = try await signedInUser()
        if let user { try requireRecentSignIn(toLink: user) }
        let attempt = try admit(.provider)
        // Before the provider is asked, as its code works once.
        let notice: Admission? = if let user { try admitNotice(ofLinkTo: user.account) } else { nil }
        let (identity, credential): (VerifiedIdentity, ProviderCredential)
        do { (identity, credential) = try await verified(proof) } catch {
            notice?.giveBack()
            throw error
        }
        attempt.giveBack()
        guard let user else { return try await signIn(identity, credential) }
        let account: Account
        do throws(ActionError) {
            account = try await chargingTakenAddress { () throws(ActionError) in
                try await actions.link(identity, to: user.account, in: project)
            }
        } catch {
            if error.isWithoutEffect { notice?.giveBack() }
            // SDKs make the credential of the other account from the response.
            let isConflict = [.federatedUserIDAlreadyLinked, .emailExists].contains(error.refusal)
            guard isConflict, try body.bool("returnIdpCredential") == true else { throw error }
            return response(identity, credential, [("errorMessage", .string(ifAny: error.refusal?.rawValue))])
        }
        let tokens = try await accounts.openSession(for: account, by: .provider(identity.provider), replacing: user)
        return signedIn(account, identity, credential, .signedIn(tokens), [])
    }

    private func signIn(_ identity: VerifiedIdentity, _ credential: ProviderCredential) async throws(ActionError) -> JSON {
        let creates = try body.bool("autoCreate") ?? true
        switch try await actions.signIn(identity, creates: creates, language: language, in: project) {
        case .signedIn(let account, let result):
            let recycled: JSON? = result.isRecycled ? .bool(true) : nil
            let outcome = try await signIn(account, by: .provider(identity.provider))
            return signedIn(
                account, identity, credential, outcome, [("isNewUser", result.isNew ? .bool(true) : nil), ("emailRecycled", recycled)])
        case .needsConfirmation(let profile):
            chargeTakenAddress()
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
