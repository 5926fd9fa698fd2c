internal import Accounts

/// A new password: every older session ends, the address counts as verified (its mail was read), and the person is told (S6, S8, S10).
struct ResetPassword: Effect {
    let hash: String
    let notice: StoredMail

    func carryOut(
        on account: Account, for code: StoredCode, in records: any ActionRecords, at now: Timestamp
    ) throws(ActionError) -> Account {
        guard account.email == code.email else { throw .refused(.invalidOobCode) }
        var account = account
        account.emailVerified = true
        account.passwordHash = hash
        account.passwordUpdatedAt = now
        account.endSessions(at: now)
        try records.update(account)
        try records.deleteSessions(of: account.id, in: account.project)
        try records.withdrawOrdinaryCodes(of: account, at: now)
        try records.insert(notice)
        return account
    }
}
