internal import Accounts

/// Sets a new password.
///
/// All earlier sessions end and all linked providers are removed, because either may be an
/// intruder's; so is the phone number if the address was not verified before. The address counts as
/// verified, because the user received its mail. A notice is mailed (S6, S8, S10).
struct ResetPassword: PreparedEffect {
    private let hash: String
    private let notice: StoredMail

    init(_ context: EffectContext) async throws(ActionError) {
        let project = context.project
        guard project.signIn.password else { throw .refused(.passwordLoginDisabled) }
        guard case .newPassword(let password) = context.input else { throw .refused(.missingPassword) }
        try project.passwordPolicy.check(password, words: context.pending.words)
        hash = try await context.passwords.hash(password)
        notice = context.drafts.notice(.passwordChanged, to: context.code.email, for: context.account, in: project)
    }

    func apply(_ code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        var account = try records.openAccount(of: code)
        guard account.email == code.email else { throw .refused(.invalidOobCode) }
        if !account.emailVerified { account.phoneNumber = nil }
        account.emailVerified = true
        account.passwordHash = hash
        account.passwordUpdatedAt = now
        account = try records.updateEndingSessions(account, at: now)
        try records.unlinkProviders(of: account)
        try records.post(notice)
        return AppliedEffect(email: account.email)
    }
}
