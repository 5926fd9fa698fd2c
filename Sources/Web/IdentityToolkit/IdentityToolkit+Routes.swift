internal import HTTPTypes

extension IdentityToolkit {
    /// Every address of the API, without Google's host in front.
    static let routes: [Route] =
        byClients.flatMap { name, handler in
            // Admins call the methods of clients for a project that they name.
            ["/v1/accounts:", "/v1/projects/{project}/accounts:"].map { Route(api: .only(.post), $0 + name, handler) }
        }
        + v3.map { name, handler in Route(api: .only(.post), APIPath.v3 + name, handler) }
        + others + providers + emulator

    private static let byClients: [(name: String, handler: Route.Handler)] = [
        ("signUp", .call(.signUp)),
        ("signInWithPassword", .call(.signInWithPassword)),
        ("signInWithEmailLink", .call(.signInWithEmailLink)),
        ("signInWithCustomToken", .call(.signInWithCustomToken)),
        ("sendOobCode", .call(.sendOobCode)),
        ("resetPassword", .call(.resetPassword)),
        ("update", .call(.update)),
        ("lookup", .call(.lookup)),
        ("delete", .call(.delete)),
        ("createAuthUri", .call(.createAuthUri)),
        ("signInWithIdp", .call(.signInWithIdp)),
        ("sendVerificationCode", .call(.sendVerificationCode)),
        ("signInWithPhoneNumber", .call(.signInWithPhoneNumber)),
        ("verifyIosClient", .notOffered(.appVerification)),
        ("signInWithGameCenter", .notOffered(.providers)),
        ("issueSamlResponse", .notOffered(.samlResponses)),
    ]

    private static let others: [Route] = [
        Route(api: .read, "/v1/projects", .call(.getProjectConfig)),
        Route(api: .read, "/v2/passwordPolicy", .call(.passwordPolicy)),
        Route(api: .read, "/v2/recaptchaConfig", .call(.recaptchaConfig)),
        Route(api: .only(.post), "/v1/token", .call(.token)),
        Route(api: .only(.post), "/v1/accounts:watch", .call(.watch)),
        Route(api: .only(.post), "/v1/projects/{project}/accounts", .call(.signUp)),
        Route(api: .only(.post), "/v1/projects/{project}:createSessionCookie", .call(.createSessionCookie)),
        Route(api: .only(.post), "/v1/projects/{project}/accounts:batchCreate", .call(.batchCreate)),
        Route(api: .read, "/v1/projects/{project}/accounts:batchGet", .call(.batchGet)),
        Route(api: .only(.post), "/v1/projects/{project}/accounts:batchDelete", .call(.batchDelete)),
        Route(api: .only(.post), "/v1/projects/{project}/accounts:query", .call(.query)),
        Route(api: .only(.post), "/v1/projects/{project}/accounts:invite", .call(.invite)),
        Route(api: .only(.post), "/v1/projects/{project}/accounts:merge", .call(.mergeAccounts)),
        Route(api: .only(.post), "/v1/projects/{project}/accounts:unmerge", .call(.unmergeAccounts)),
        Route(api: .read, "/v1/adminKey", .call(.describeKey)),
        Route(api: .read, "/v1/projects/{project}/overview", .call(.overview)),
        Route(api: .only(.post), "/v1/projects/{project}/accounts:find", .call(.findAccounts)),
        Route(api: .read, "/v1/projects/{project}/accounts:inspect", .call(.inspectAccount)),
        Route(api: .read, "/v1/projects/{project}/mails", .call(.listMails)),
        Route(api: .read, "/v1/projects/{project}/audit", .call(.listAudit)),
        Route(api: .read, "/v1/projects/{project}/events", .call(.listEvents)),
        Route(api: .only(.post), "/v1/projects/{project}/events/{id}:retry", .call(.retryEvent)),
        Route(api: .read, "/v1/projects/{project}/suppressions", .call(.listSuppressions)),
        Route(api: .only(.delete), "/v1/projects/{project}/suppressions/{id}", .call(.removeSuppressions)),
        Route(api: .only(.post), "/v1/shortLinks", .call(.createShortLink)),
        Route(api: .only(.post), "/v1/projects/{project}/shortLinks", .call(.createShortLink)),
        Route(api: .read, Request.linkStatsTemplate, .call(.linkStats)),
        Route(api: .read, "/v2/projects/{project}/config", .call(.getConfig)),
        Route(api: .only(.patch), "/v2/projects/{project}/config", .call(.updateConfig)),
        Route(api: .only(.post), "/v2/accounts/mfaEnrollment:start", .call(.startMFAEnrollment)),
        Route(api: .only(.post), "/v2/accounts/mfaEnrollment:finalize", .call(.finalizeMFAEnrollment)),
        Route(api: .only(.post), "/v2/accounts/mfaEnrollment:withdraw", .call(.withdrawMFA)),
        Route(api: .only(.post), "/v2/accounts/mfaSignIn:start", .call(.startMFASignIn)),
        Route(api: .only(.post), "/v2/accounts/mfaSignIn:finalize", .call(.finalizeMFASignIn)),
        Route(api: .read, "/.well-known/jwks.json", .published(.jwks)),
        Route(api: .read, "/v1/sessionCookiePublicKeys", .published(.jwks)),
        Route(api: .read, "/v1/publicKeys", .published(.certificates)),
        Route(api: .read, APIPath.v3 + "publicKeys", .published(.certificates)),
        Route(api: .read, APIPath.v3 + "getProjectConfig", .call(.getProjectConfig)),
        Route(api: .read, "/{project}" + APIPath.discovery, .published(.discovery)),
        Route(api: .read, "/v1/recaptchaParams", .call(.recaptchaParams)),
        Route(api: .read, APIPath.v3 + "getRecaptchaParam", .call(.recaptchaParams)),
        Route(api: .only(.post), "/v2/accounts:revokeToken", .notOffered(.providers)),
    ]

    private static let providers: [Route] = ProviderCollection.allCases.flatMap { collection in
        let path = "/v2/projects/{project}/\(collection.rawValue)"
        return [
            Route(api: .read, path, .call(collection.list)), Route(api: .only(.post), path, .call(collection.create)),
            Route(api: .read, path + "/{id}", .call(collection.get)), Route(api: .only(.patch), path + "/{id}", .call(collection.update)),
            Route(api: .only(.delete), path + "/{id}", .call(collection.delete)),
        ]
    }

    private static let emulator: [Route] = [
        Route(api: .read, "/emulator/v1/projects/{project}/oobCodes", .emulator(.oobCodes)),
        Route(api: .read, "/emulator/v1/projects/{project}/verificationCodes", .emulator(.verificationCodes)),
        Route(api: .only(.delete), "/emulator/v1/projects/{project}/accounts", .emulator(.deleteAccounts)),
        Route(api: .read, "/emulator/v1/projects/{project}/config", .emulator(.getConfig)),
        Route(api: .only(.patch), "/emulator/v1/projects/{project}/config", .emulator(.patchConfig)),
    ]

    /// The older names of the methods, which Apple's SDK still calls.
    private static let v3: [(name: String, handler: Route.Handler)] = [
        ("signupNewUser", .call(.signUp)),
        ("verifyPassword", .call(.signInWithPassword)),
        ("verifyCustomToken", .call(.signInWithCustomToken)),
        ("emailLinkSignin", .call(.signInWithEmailLink)),
        ("getOobConfirmationCode", .call(.sendOobCode)),
        ("resetPassword", .call(.resetPassword)),
        ("setAccountInfo", .call(.update)),
        ("getAccountInfo", .call(.lookup)),
        ("deleteAccount", .call(.delete)),
        ("createAuthUri", .call(.createAuthUri)),
        ("uploadAccount", .call(.uploadAccount)),
        ("downloadAccount", .call(.downloadAccount)),
        ("verifyAssertion", .call(.signInWithIdp)),
        ("sendVerificationCode", .call(.sendVerificationCode)),
        ("verifyPhoneNumber", .call(.signInWithPhoneNumber)),
        ("verifyClient", .notOffered(.appVerification)),
        ("signOutUser", .notOffered(.signOutByServer)),
    ]

    /// Families of methods that are not offered, by the start of their path templates.
    static let families: [(start: String, routes: [Route])] = [
        family("/v1/projects/{project}/tenants/", .tenants), family("/v2/projects/{project}/tenants", .tenants),
        family("/v2/defaultSupportedIdps", .listOfProviders),
        family("/v2/projects/{project}/inboundSamlConfigs", .saml),
        family("/v2/accounts/passkey", .passkeys),
    ]

    private static func family(_ start: String, _ reason: NotOffered) -> (start: String, routes: [Route]) {
        (start, [.read, .only(.post), .only(.patch), .only(.delete)].map { Route(api: $0, start, .notOffered(reason)) })
    }
}

extension Route {
    /// A route of the API. Everything but the path and the methods follows from its handler.
    fileprivate convenience init(api methods: Methods, _ path: String, _ handler: Handler) {
        let label: String
        var (credential, maxBodyBytes, isDevelopmentOnly) = (RequiredCredential.none, Self.usualBodyBytes, false)
        switch handler {
        case .page: label = RouteLabel.unknown.name
        case .call(let method):
            label = method.name
            // Only an admin may name a project.
            credential = method.requiresAdmin || path.contains("{project}") ? .admin : .apiKeyOrAdmin
            maxBodyBytes = method.maxBodyBytes
        case .emulator: (label, isDevelopmentOnly) = ("emulator", true)
        case .published: label = "published"
        case .notOffered: label = "notOffered"
        }
        self.init(
            methods, path, label: RouteLabel(label, .api), credential: credential, maxBodyBytes: maxBodyBytes,
            isDevelopmentOnly: isDevelopmentOnly, documentation: .api, handler: handler)
    }
}
