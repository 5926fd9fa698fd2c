internal import Accounts

/// Restores the address that an account had before a change.
///
/// Undo links created since then are withdrawn, and second factors enrolled since then and a phone
/// number linked since then are removed, because an intruder may have caused them: the mail about
/// them went to the intruder's address. Older undo links keep working: each restores an earlier
/// address. Providers end with the reset that the page offers next.
///
/// If the address was not verified before, the account may be that of a stranger who registered it.
/// The press is the first proof of the address, so what a stranger may have set up ends with it, as
/// with the first sign-in by a link: the password, the providers and the phone number (I9).
struct RecoverEmail: PreparedEffect {
    private let noticeToOther: StoredMail?

    init(_ context: EffectContext) throws(ActionError) {
        let restored = context.code.email
        let other = context.account.email.flatMap { $0 == restored ? nil : $0 }
        noticeToOther = try other.map { (other) throws(ActionError) in
            context.drafts.notice(.emailRestored, to: other, otherEmail: restored, for: context.account, in: context.project)
        }
    }

    func apply(_ code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        var account = try records.openAccount(of: code)
        try takeBack(code.email, for: account, in: records, at: now)
        if code.settings.restoresUnverifiedAddress {
            (account.passwordHash, account.passwordUpdatedAt, account.phoneNumber) = (nil, nil, nil)
            try records.unlinkProviders(of: account)
        } else if let before = code.settings.phoneNumberBefore, before != account.phoneNumber?.value {
            account.phoneNumber = nil
        }
        account.email = code.email
        account.emailVerified = true
        account = try records.updateEndingSessions(account, at: now)
        try records.withdrawRecoveryLinks(of: account, madeSince: code.createdAt, at: now)
        for factor in try records.secondFactors(of: account.id, in: account.project) where factor.enrolledAt >= code.createdAt {
            _ = try records.deleteSecondFactor(factor.id, of: account.id, in: account.project)
        }
        if let noticeToOther { try records.post(noticeToOther) }
        return AppliedEffect(email: account.email)
    }

    /// Removes the address from an account that signed up with it after the change, unless that
    /// account has verified the address by mail.
    private func takeBack(
        _ email: EmailAddress, for account: Account, in records: any ActionRecords, at now: Timestamp
    ) throws(ActionError) {
        guard var other = try records.account(withEmail: email, in: account.project), other.id != account.id, !other.emailVerified else {
            return
        }
        try records.withdrawAllCodes(of: other, at: now)
        try records.deleteSessions(of: other.id, in: other.project)
        other.email = nil
        other.endSessions(at: now)
        try records.update(other)
    }
}
