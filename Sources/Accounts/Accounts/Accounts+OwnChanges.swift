/// The changes that users make to their own accounts, with the sessions that follow. Limits bound
/// what each change writes, mails and tells.
extension Accounts {
    /// Changes the account of a user.
    ///
    /// Refuses `ADMIN_ONLY_OPERATION` (`requireAddition`, and for a first address where people sign
    /// up by a link), `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`, and what `update` of an account refuses.
    /// - Returns: the account afterwards, and the tokens of a new session if all have ended.
    public func update(
        _ user: SignedInUser, with change: AccountChange, from client: Client, in project: Project
    ) async throws(ActionError) -> (Profile, IssuedTokens?) {
        let before = user.profile
        if change.email != nil, before.account.email == nil { try project.requireSignUp(byPasswordWith: change.email) }
        if change.email != nil || change.password != nil { try project.requireAddition(of: change.email, by: user) }
        let removesLastSignIn = change.removesLastSignIn(of: before, in: project)
        if change.endsSessions || removesLastSignIn { try requireRecentSignIn(of: user) }
        let after = try await update(before, with: change, mayRemoveLastSignIn: removesLastSignIn, from: client, in: project)
        guard change.endsSessions else { return (after, nil) }
        // An anonymous session becomes one with a password if the account got one.
        let provider = user.provider == .anonymous && after.account.passwordHash != nil ? .password : user.provider
        return (after, try await openSession(for: after.account, by: provider, replacing: user, in: project))
    }

    /// Gives the account of a user a password, which makes an anonymous account permanent. Refuses
    /// what `update` refuses.
    public func addPassword(
        _ password: String, _ email: EmailAddress, named displayName: String?, to user: SignedInUser, from client: Client,
        in project: Project
    ) async throws(ActionError) -> IssuedTokens {
        var change = AccountChange()
        change.password = password
        change.displayName = displayName.map { .set($0) }
        if user.account.email != email {
            try project.requireSignUp(byPasswordWith: email)
            change.email = email
        }
        try requireRecentSignIn(toLink: user)
        let account = try await update(user.profile, with: change, from: client, in: project).account
        return try await openSession(for: account, by: .password, replacing: user, in: project)
    }

    /// Enrols a second factor of a user (`enroll`), with recovery codes if the project gives them.
    /// - Returns: the tokens of a session in which the factor was proved.
    public func enroll(
        _ factor: SecondFactor, by proof: EnrollmentProof, for user: SignedInUser, from client: Client, in project: Project
    ) async throws(ActionError) -> (IssuedTokens, [RecoveryCode]) {
        let before = user.account
        let codes =
            project.secondFactors.recoveryCodes ? (0..<RecoveryCode.countPerFactor).map { _ in RecoveryCode(random: random) } : []
        let account = try await counted(by: Self.attempts(changing: before), from: client, in: project) { () throws(ActionError) in
            try await enroll(
                factor, by: proof, recoveryCodes: codes.map { $0.digest(of: before, by: secrets) }, for: before, from: client, in: project)
        }
        let proven = ProvenSecondFactor(factor.kind == .totp ? .totp : .phone, id: factor.id)
        return (try await openSession(for: account, by: user.provider, after: proven, replacing: user, in: project), codes)
    }

    /// Removes a second factor of a user, and ends all other sessions. Refuses
    /// `MFA_ENROLLMENT_NOT_FOUND` and `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`.
    public func withdrawSecondFactor(
        _ id: String, of user: SignedInUser, from client: Client, in project: Project
    ) async throws(ActionError) -> IssuedTokens {
        guard user.profile.secondFactors.contains(where: { $0.id == id }) else { throw .refused(.mfaEnrollmentNotFound) }
        try requireRecentSignIn(of: user)
        var change = AccountChange()
        change.withdrawnFactor = id
        change.validSince = now()
        let account = try await update(user.profile, with: change, from: client, in: project).account
        return try await openSession(for: account, by: user.provider, replacing: user, in: project)
    }

    /// Deletes the account of a user, and mails notices (`delete`). Refuses `ADMIN_ONLY_OPERATION`
    /// (`requireDeletion`) and `CREDENTIAL_TOO_OLD_LOGIN_AGAIN`.
    public func delete(_ user: SignedInUser, from client: Client, in project: Project) async throws(ActionError) {
        try project.requireDeletion()
        try requireRecentSignIn(of: user)
        try await counted(by: Self.attempts(changing: user.account), from: client, in: project) { () throws(ActionError) in
            try await delete(user.account, from: client, in: project)
        }
    }

    /// Changes an account as an admin does.
    public func update(byAdmin before: Profile, with change: AccountChange, in project: Project) async throws(ActionError) -> Profile {
        try await update(before, with: change, byAdmin: true, from: .admin, in: project)
    }

    /// Changes an account, when it is its turn if a password has to be hashed, under the limits of
    /// what the change writes, mails and answers.
    private func update(
        _ before: Profile, with change: AccountChange, mayRemoveLastSignIn: Bool = true, byAdmin: Bool = false, from client: Client,
        in project: Project
    ) async throws(ActionError) -> Profile {
        let account = before.account
        return try await counted(by: Self.attempts(of: change, to: before), from: client, in: project) { () throws(ActionError) in
            let apply = { () async throws(ActionError) in
                try await update(
                    account, with: change, mayRemoveLastSignIn: mayRemoveLastSignIn, byAdmin: byAdmin, from: client, in: project)
            }
            let answer = { () async throws(ActionError) in
                change.email == nil ? try await apply() : try await countedAsAddressQuestion(from: client, in: project, apply)
            }
            return change.password == nil
                ? try await answer() : try await inTurn("update \(project.id) \(account.id)", from: client, answer)
        }
    }

    private static func attempts(of change: AccountChange, to before: Profile) -> [LimitedAttempt] {
        let account = before.account
        // An account without an address is as good as none before it gets one.
        let isSignUp = account.email == nil && (change.password != nil || change.email != nil)
        let asksForNotice = change.replacesCredentials || change.deletesCredentials || change.withdrawnFactor != nil
        // A sign-in joins such a provider again, with a notice each time.
        let isJoinedBySignIn = before.linkedProviders.contains {
            change.unlinks.contains($0.provider) && $0.email.flatMap { EmailAddress($0) } == account.email
        }
        let notice = asksForNotice || isJoinedBySignIn ? noticeAttempts(to: account) : []
        let isProfile = !change.endsSessions && !change.removesMethods && change.withdrawnFactor == nil
        return [isProfile ? .profile(account.id) : .change] + notice + (isSignUp ? [.signUp] : [])
    }

    /// A change of the ways in to an account, with the notice of it.
    static func attempts(changing account: Account) -> [LimitedAttempt] { [.change] + noticeAttempts(to: account) }

    /// The notice that a change of the ways in sends to the account's old address, if that was ever
    /// proved.
    static func noticeAttempts(to account: Account) -> [LimitedAttempt] { account.email == nil ? [] : [.notice(account.id)] }
}
