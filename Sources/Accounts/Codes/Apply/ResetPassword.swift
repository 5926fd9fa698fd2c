internal import Base

/// Sets a new password.
///
/// The person who resets has the mailbox of the address, which counts as verified from then on.
/// What ends depends on who had the account (`Arrival`); sessions and providers always do, because
/// either may be an intruder's. A notice is mailed (S6, S8, S10).
struct ResetPassword: PreparedEffect {
    private let hash: String
    private let drafts: CodeDrafts
    private let client: Client
    private let project: Project

    init(_ context: EffectContext) async throws(ActionError) {
        (drafts, client, project) = (context.drafts, context.client, context.project)
        guard project.signIn.password, context.findings.password?.isRefused(in: project) != true else {
            throw .refused(.passwordLoginDisabled)
        }
        guard case .newPassword(let password) = context.input else { throw .refused(.missingPassword) }
        try project.passwordPolicy.check(password, words: context.pending.words)
        hash = try await context.passwords.hash(password)
    }

    func apply(_ code: StoredCode, in records: any Records, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        var account = try records.openAccount(of: code)
        guard account.email == code.email else { throw .refused(.invalidOobCode) }
        let notice = account.passwordHash == nil ? LetterKind.Notice.passwordAdded : .passwordChanged
        let invitation = try records.invitation(of: account)
        let acceptsInvitation = invitation != nil && invitation?.newcomer == nil
        let proved = try records.provedAddresses(of: account)
        let arrival = Arrival(by: .reset, at: .init(account, proved: proved, invitation))
        if arrival == .passedOn, let new = try records.newcomersAccount(at: account, or: .random(drafts.random), at: now) {
            try records.passOn(account, proved: proved, now: now)
            return try welcome(new, code, in: records)
        }
        account = try records.settle(arrival, by: .reset, at: account, proved: proved, now: now)
        (account.passwordHash, account.passwordUpdatedAt) = (hash, now)
        if arrival == .ownerArrives {
            try records.update(account)
        } else {
            account = try records.end(.passwordReset, of: account, at: now)
        }
        records.note(acceptsInvitation ? .invitationAccepted : .passwordReset, of: account)
        // An invited person has had no password before.
        if !acceptsInvitation {
            try records.tell(drafts.notice(notice, to: code.email, for: account, by: client, in: project), about: account)
        }
        return AppliedEffect(email: account.email)
    }

    /// Makes the account of an invited person whose address another user's account had.
    private func welcome(_ new: Account, _ code: StoredCode, in records: any Records) throws(ActionError) -> AppliedEffect {
        var account = new
        (account.passwordHash, account.passwordUpdatedAt) = (hash, account.createdAt)
        account.language = code.language
        try records.insert(account)
        records.note(.invitationAccepted, of: account)
        return AppliedEffect(email: account.email, newAccount: account.id)
    }
}
