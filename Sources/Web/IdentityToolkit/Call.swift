internal import Accounts
internal import EmailActions
internal import JSON

/// One call of a method: its caller known, its body read. Each method is an extension in a file with Firebase's name.
struct Call: Sendable {
    enum Method: Sendable, Hashable, CaseIterable {
        case signUp, signInWithPassword, signInWithEmailLink, sendOobCode, resetPassword, update, lookup, delete, createAuthUri
        case getProjectConfig, getConfig, updateConfig, passwordPolicy, recaptchaConfig, token, signInWithCustomToken, createSessionCookie
        case batchCreate, uploadAccount, batchGet, downloadAccount, batchDelete, query

        /// Where a method's fields stand.
        enum Source { case json, jsonOrForm, query }

        var source: Source {
            switch self {
            case .token: .jsonOrForm
            case .getProjectConfig, .getConfig, .passwordPolicy, .recaptchaConfig, .batchGet: .query
            default: .json
            }
        }
    }

    let site: Site
    let caller: Caller
    let body: JSONFields
    /// Which fields the call is about; nil where it does not say.
    let mask: FieldMask?
    /// Of the mails that the call sends; nil: the account's own.
    let language: String?
    /// The numeric address of the client, for limits and the log.
    let peer: String

    var project: Project { caller.project }

    func result(of method: Method) async throws(ActionError) -> JSON {
        switch method {
        case .signUp: try await signUp()
        case .signInWithPassword: try await signInWithPassword()
        case .signInWithEmailLink: try await signInWithEmailLink()
        case .sendOobCode: try await sendOobCode()
        case .resetPassword: try await resetPassword()
        case .update: try await update()
        case .lookup: try await lookup()
        case .delete: try await delete()
        case .createAuthUri: try await createAuthUri()
        case .getProjectConfig: getProjectConfig()
        case .getConfig: ConfigField.config(of: project)
        case .updateConfig: try await updateConfig()
        case .passwordPolicy: passwordPolicy()
        case .recaptchaConfig: recaptchaConfig()
        case .token: try await token()
        case .signInWithCustomToken: try await signInWithCustomToken()
        case .createSessionCookie: try await createSessionCookie()
        case .batchCreate: try await batchCreate()
        case .uploadAccount: try await uploadAccount()
        case .batchGet: try await batchGet()
        case .downloadAccount: try await downloadAccount()
        case .batchDelete: try await batchDelete()
        case .query: try await query()
        }
    }

    /// How long after signing in a person may change what guards the account. Production only: the emulator never asks again.
    static let recently = Duration.seconds(300)

    /// The account that the call's ID token speaks for.
    func account(behind idToken: String) async throws(ActionError) -> Account {
        try await site.accounts.account(behind: idToken, in: project.id)
    }

    /// An account with what stands beside it. Refuses `USER_NOT_FOUND`.
    func profile(of id: AccountID) async throws(ActionError) -> Accounts.Profile {
        guard let profile = try await site.accounts.profiles([.id(id)], in: project.id).first else { throw .refused(.userNotFound) }
        return profile
    }

    /// Whether somebody is signed in as nobody: then there is nothing yet that a stolen old token could take away.
    func isAnonymous(_ idToken: String) async throws(ActionError) -> Bool {
        try await site.accounts.provider(behind: idToken, in: project.id) == .anonymous
    }

    /// Refuses `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`, for what a stolen old token must not do.
    func requireRecentSignIn(_ idToken: String) async throws(ActionError) {
        guard !site.mode.isDevelopment else { return }
        try await site.accounts.requireSignIn(idToken, within: Self.recently, in: project.id)
    }

    /// An action that a live code allows.
    func pending(_ code: String) async throws(ActionError) -> PendingAction {
        guard let code = OobCode(code) else { throw .refused(.invalidOobCode) }
        let inspection = try await site.inspect(code, in: project, for: peer, byAdmin: caller.isAdmin)
        do { return try inspection.pending() } catch {
            site.meters.codes.refuse(inspection.action, error)
            throw error
        }
    }

    /// Signs in by a first factor. An account with a second one gets no tokens by the first alone (S7).
    func openSession(for account: Account, by provider: SignInProvider) async throws(ActionError) -> IssuedTokens {
        try await site.accounts.requireNoSecondStep(of: account)
        return try await site.accounts.openSession(for: account, by: provider)
    }
}

extension IssuedTokens {
    /// In seconds, as the wire has it.
    static var expiresIn: JSON { .string(String(IDToken.lifetime.components.seconds)) }
}
