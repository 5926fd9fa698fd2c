internal import Accounts
internal import EmailActions

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
        let before = try await account(behind: idToken)
        let change = try change(of: before)
        if change.email != nil { try requireUnverifiedChange() }
        if change.guardsAccount { try await requireRecentSignIn(idToken) }
        let account = try await site.actions.update(before, with: change, in: project)
        let profile = try await profile(of: account.id)
        let tokens: IssuedTokens? =
            if change.guardsAccount {
                try await site.accounts.openSession(for: account, by: profile.provider)
            } else { nil }
        return updated(profile, tokens: tokens)
    }

    /// Where accounts are hidden, a new address is confirmed before it counts: who types a taken one must not see that here.
    func requireUnverifiedChange() throws(ActionError) {
        guard !project.hidesAccounts else {
            throw .refused(.operationNotAllowed, detail: "Please verify the new email before changing email.")
        }
    }

    private func apply(_ code: String) async throws(ActionError) -> JSON {
        let pending = try await pending(code)
        // A reset needs its password, a sign-in its own method.
        guard pending.action != .resetPassword, pending.action != .signIn else { throw .refused(.invalidOobCode) }
        let outcome = try await site.actions.redeem(pending)
        return updated(
            try await profile(of: outcome.account.id),
            newEmail: pending.action == .verifyAndChangeEmail ? outcome.account.email : nil)
    }

    private func updateAsAdmin() async throws(ActionError) -> JSON {
        guard let id = try body.text("localId") else { throw .refused(.missingLocalID) }
        let before = try await profile(of: AccountID(rawValue: id)).account
        for name in ["phoneNumber", "mfa", "linkProviderUserInfo"] where body.has(name) {
            throw .refused(.operationNotAllowed, detail: "\(name) is not offered by this server")
        }
        var change = try change(of: before)
        change.emailVerified = try body.bool("emailVerified")
        change.disabled = try body.bool("disableUser")
        change.validSince = try validSince()
        change.customAttributes = try customAttributes()
        return updated(try await profile(of: site.actions.update(before, with: change, byAdmin: true, in: project).id))
    }

    /// In seconds; what could not be a date is refused before it is reckoned with.
    private func validSince() throws(ActionError) -> Timestamp? {
        guard let seconds = try body.integer("validSince") else { return nil }
        guard (0...site.accounts.now().seconds + 300).contains(seconds) else {
            throw .refused(.invalidArgument, detail: "/validSince must be a time in seconds, not in the future")
        }
        return Timestamp(seconds: seconds)
    }

    /// What an account may change of itself, and an admin too.
    private func change(of account: Account) throws(ActionError) -> AccountChange {
        var change = AccountChange()
        // The same address again changes nothing, and must not end sessions.
        change.email = try body.email().flatMap { $0 == account.email ? nil : $0 }
        change.password = try body.text("password")
        change.displayName = try profileChange("displayName")
        change.photoURL = try profileChange("photoUrl")
        for attribute in try body.choices("deleteAttribute", of: Self.attributes) {
            switch attribute {
            case "EMAIL": change.deletesEmail = true
            case "DISPLAY_NAME": change.displayName = .clear
            case "PHOTO_URL": change.photoURL = .clear
            case "PASSWORD": change.deletesPassword = true
            default: throw .refused(.operationNotAllowed, detail: "\(attribute) is not offered by this server")
            }
        }
        // Other providers are not linked here, so there is nothing to unlink.
        if try body.strings("deleteProvider").contains("password") {
            change.deletesEmail = true
            change.deletesPassword = true
        }
        return change
    }

    /// In the order of the API's enum, because some clients send the number.
    private static let attributes = [
        "USER_ATTRIBUTE_NAME_UNSPECIFIED", "EMAIL", "DISPLAY_NAME", "PROVIDER", "PHOTO_URL", "PASSWORD", "RAW_USER_INFO",
    ]

    private func profileChange(_ name: String) throws(ActionError) -> AccountChange.Change<String>? {
        if let text = try body.profile(name) { return .set(text) }
        return body.isPresent(name) ? .clear : nil
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

extension AccountChange {
    /// Whether it touches what the account is signed in with: then the last sign-in must be recent, and old tokens end.
    fileprivate var guardsAccount: Bool { email != nil || password != nil || deletesEmail || deletesPassword }
}
