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
                .always("requestUri", .text, "Any page; it is never opened."),
                .always(
                    "postBody", .text,
                    "A form: providerId, and id_token or access_token; if the token has a hashed nonce also nonce, else MISSING_OR_INVALID_NONCE."
                ),
                Property("idToken", .text), Property("autoCreate", .flag, "Whether an account may be created; true if absent."),
                Property("returnIdpCredential", .flag, "Whether a refusal to link is a response with `errorMessage`."),
            ],
            response: .kind("VerifyAssertionResponse") + [
                .always("providerId", .text), .always("federatedId", .text), .always("rawUserInfo", .text, "JSON in a string."),
                Property("localId", .text), Property("email", .text), .always("emailVerified", .flag), Property("displayName", .text),
                Property("fullName", .text), Property("firstName", .text), Property("lastName", .text), Property("screenName", .text),
                Property("photoUrl", .text), Property("oauthIdToken", .text), Property("oauthAccessToken", .text),
                Property("isNewUser", .flag), Property("emailRecycled", .flag),
                Property("needConfirmation", .flag, "The address has an account, and the provider does not prove who owns it."),
                Property("verifiedProvider", .list(.text)), Property("errorMessage", .text),
            ] + .tokensIfAny + .secondFactorIfAny,
            refusals: [
                .missingRequestURI, .invalidRequestURI, .invalidCredentialOrProviderID, .invalidIDPResponse,
                .operationNotAllowed, .federatedUserIDAlreadyLinked, .emailExists, .userDisabled, .userNotFound, .credentialTooOld,
                .invalidIDToken, .tokenExpired,
            ]),
        run: { (call) throws(ActionError) in try await call.signInWithIdp() })
}

extension Call {
    /// `accounts:signInWithIdp`: signs in with the credential of a provider; with an ID token,
    /// links the provider to that account.
    func signInWithIdp() async throws(ActionError) -> JSON {
        guard let page = try body.text("requestUri") else { throw .refused(.missingRequestURI) }
        guard (try? WebURL(page)) != nil else { throw .refused(.invalidRequestURI) }
        for name in ["pendingIdToken", "pendingToken"] where body.has(name) {
            throw .refused(.operationNotAllowed, detail: "\(name) is not offered by this server; send the credential in postBody")
        }
        let credential = try providerCredential()
        let idToken = try body.text("idToken")
        let linked: Account? = if let idToken { try await accountToLink(behind: idToken) } else { nil }
        let attempt = try admit(.provider)
        let identity = try await toolkit.credentials.verify(credential, project.providers[credential.provider], in: project.id)
        attempt.giveBack()
        guard let linked else { return try await signIn(identity, credential) }
        do throws(ActionError) {
            let account = try await chargingTakenAddress { () throws(ActionError) in
                try await actions.link(identity, to: linked, in: project)
            }
            let tokens = try await openSession(for: account, by: .provider(identity.provider), replacing: try body.text("idToken") ?? "")
            return signedIn(account, identity, credential, .signedIn(tokens), [])
        } catch {
            // SDKs make the credential of the other account from the response.
            let isConflict = [.federatedUserIDAlreadyLinked, .emailExists].contains(error.refusal)
            guard isConflict, try body.bool("returnIdpCredential") == true else { throw error }
            return response(identity, credential, [("errorMessage", .string(ifAny: error.refusal?.rawValue))])
        }
    }

    /// The account to which a provider is to be linked: as lasting as a new password, so an old
    /// token is not enough.
    private func accountToLink(behind idToken: String) async throws(ActionError) -> Account {
        let profile = try await accounts.profile(behind: idToken, in: project.id)
        let isAnonymous = try await isAnonymous(idToken) && profile.isAnonymous
        if !isAnonymous { try await requireRecentSignIn(idToken) }
        return profile.account
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
            ("federatedId", .string(identity.rawID)),
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
        ]
        return .object((members + more).compactMap { name, value in value.map { JSON.Member(name: name, value: $0) } })
    }
}

extension Call {
    /// The most parameters of a credential.
    private static let maxParameters = 32

    /// The credential in `postBody`, a form. Refuses `INVALID_CREDENTIAL_OR_PROVIDER_ID`.
    private func providerCredential() throws(ActionError) -> ProviderCredential {
        let items = WebURL.formItems(in: try body.text("postBody") ?? "")
        func parameter(_ name: String) throws(ActionError) -> String? {
            let found = items.filter { $0.name == name }
            guard found.count < 2 else { throw .invalidPostBody("\(name) appears twice") }
            return found.first.flatMap { $0.value.isEmpty || $0.value.utf8.contains(0) ? nil : $0.value }
        }
        guard items.count <= Self.maxParameters else { throw .invalidPostBody("there are too many parameters") }
        guard let provider = try parameter("providerId"), (1...128).contains(provider.utf8.count),
            !LinkedProvider.builtInIDs.contains(provider)
        else { throw .invalidPostBody("providerId must name an identity provider") }
        var credential = ProviderCredential(provider: provider)
        credential.idToken = try parameter("id_token")
        credential.accessToken = try parameter("access_token")
        credential.rawNonce = try parameter("nonce")
        credential.appleUser = try parameter("user")
        guard credential.idToken != nil || credential.accessToken != nil else {
            throw .invalidPostBody("there must be an id_token or an access_token")
        }
        return credential
    }
}

extension ActionError {
    fileprivate static func invalidPostBody(_ fault: String) -> ActionError {
        .refused(.invalidCredentialOrProviderID, detail: "Invalid IdP response/credential in postBody: \(fault)")
    }
}
