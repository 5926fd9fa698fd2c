internal import Accounts
internal import EmailActions
internal import JSON

extension Call {
    /// `accounts:update`: applies a code, or changes an account by its own ID token or by an admin's word.
    func update() async throws(ActionError) -> JSON {
        if let code = try body.text("oobCode") { return try await apply(code) }
        if try body.text("idToken") == nil, caller.isAdmin { return try await updateAsAdmin() }

        guard !body.has("customAttributes") else { throw .refused(.insufficientPermission) }
        guard !body.has("disableUser") else { throw .refused(.operationNotAllowed) }
        guard let idToken = try body.text("idToken") else {
            throw .refused(.invalidReqType, detail: "An update needs an idToken or an oobCode")
        }
        let before = try await profile(of: account(behind: idToken).id)
        let change = try change(of: before.account)
        if change.email != nil { try requireUnverifiedChange() }
        if change.replacesCredentials || change.strands(before) { try await requireRecentSignIn(idToken) }
        if change.replacesCredentials || change.deletesCredentials { try await admitNotice(to: before.account) }
        // Its hash is dear, and where there is no address no mail is counted.
        if change.password != nil, before.account.email == nil { try admit(.signUp) }
        let after = try await site.actions.update(before.account, with: change, in: project)
        let tokens: IssuedTokens? =
            if change.replacesCredentials {
                try await site.accounts.openSession(for: after.account, by: provider(of: after, behind: idToken))
            } else { nil }
        return updated(after, tokens: tokens)
    }

    /// By what a session goes on whose account was given other credentials: as before, but whoever was nobody has a password now.
    private func provider(of profile: Accounts.Profile, behind idToken: String) async throws(ActionError) -> SignInProvider {
        let before = try await site.accounts.provider(behind: idToken, in: project.id)
        return before == .anonymous && !profile.isAnonymous ? .password : before ?? .password
    }

    /// Where accounts are hidden, a new address is confirmed before it counts: who types a taken one must not see that here.
    func requireUnverifiedChange() throws(ActionError) {
        guard !project.hidesAccounts else {
            throw .refused(.operationNotAllowed, detail: "Please verify the new email before changing email.")
        }
    }

    /// A change of address or password is told to the address that the account had.
    func admitNotice(to account: Account) async throws(ActionError) {
        if let email = account.email { try admit(.mail(to: email, account: account.id)) }
    }

    private func apply(_ code: String) async throws(ActionError) -> JSON {
        let pending = try await pending(code)
        // A reset needs its password, a sign-in its own method.
        guard pending.action != .resetPassword, pending.action != .signIn else { throw .refused(.invalidOobCode) }
        guard let account = try await site.redeem(pending).account else { throw .refused(.invalidOobCode) }
        let profile = try await profile(of: account)
        return updated(profile, newEmail: pending.action == .verifyAndChangeEmail ? profile.account.email : nil)
    }

    private func updateAsAdmin() async throws(ActionError) -> JSON {
        guard let id = try body.text("localId") else { throw .refused(.missingLocalID) }
        let before = try await profile(of: AccountID(rawValue: id))
        let change = try changeByAdmin(of: before)
        return updated(try await site.actions.update(before.account, with: change, byAdmin: true, in: project))
    }

    private func updated(_ profile: Accounts.Profile, newEmail: EmailAddress? = nil, tokens: IssuedTokens? = nil) -> JSON {
        let account = profile.account
        return .object([
            "kind": "identitytoolkit#SetAccountInfoResponse",
            "localId": .string(account.id.rawValue),
            "email": .string(ifAny: account.email?.value),
            "newEmail": .string(ifAny: newEmail?.value),
            "emailVerified": .bool(account.emailVerified),
            "displayName": .string(ifAny: account.displayName),
            "photoUrl": .string(ifAny: account.photoURL),
            "providerUserInfo": profile.providerUserInfo,
            "idToken": .string(ifAny: tokens?.idToken),
            "refreshToken": .string(ifAny: tokens?.refreshToken),
            "expiresIn": tokens.map { _ in IssuedTokens.expiresIn },
        ])
    }
}
