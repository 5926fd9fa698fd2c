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
                .credentialTooOld, .adminOnlyOperation, .invalidIDToken, .tokenExpired,
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
        return try await link(proof, to: user)
    }

    private func link(_ proof: ProviderProof, to user: SignedInUser) async throws(ActionError) -> JSON {
        let (link, identity, credential) = try await accounts.link(to: user, from: client, in: project) { () throws(ActionError) in
            try await verified(proof)
        }
        switch link {
        case .linked(let account, let tokens): return signedIn(account, identity, credential, .signedIn(tokens), [])
        case .belongsToOther(let error):
            // SDKs make the credential of the other account from the response.
            guard try body.bool("returnIdpCredential") == true else { throw error }
            return response(identity, credential, [("errorMessage", .string(ifAny: error.refusal?.rawValue))])
        }
    }

    private func signIn(_ identity: VerifiedIdentity, _ credential: ProviderCredential) async throws(ActionError) -> JSON {
        let (result, outcome) = try await accounts.signIn(
            identity, creates: try body.bool("autoCreate") ?? true, language: language, from: client, in: project)
        if case .signedIn(let account, let result) = result, let outcome {
            let recycled: JSON? = result.isRecycled ? .bool(true) : nil
            return signedIn(
                account, identity, credential, outcome, [("isNewUser", result.isNew ? .bool(true) : nil), ("emailRecycled", recycled)])
        }
        // After `USER_NOT_FOUND`, JavaScript's SDK signs the present user out.
        guard case .needsConfirmation(let profile) = result else { throw .refused(.emailNotFound) }
        let needed: [(String, JSON?)] = [("needConfirmation", .bool(true))]
        guard !project.hidesAccounts else { return response(identity, credential, needed) }
        return response(
            identity, credential,
            needed + [
                ("localId", .string(profile.account.id.rawValue)),
                ("verifiedProvider", .array(profile.signInMethods.map { .string($0) })),
            ])
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
