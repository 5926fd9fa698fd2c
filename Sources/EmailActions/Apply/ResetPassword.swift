internal import Accounts

/// A new password: every older session ends, with it every provider that vouched for the account, the address counts as verified (its mail was read), and the person is told (S6, S8, S10).
struct ResetPassword: Effect {
    let hash: String
    let notice: StoredMail

    func carryOut(by code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> EmailAddress? {
        var account = try records.openAccount(of: code)
        guard account.email == code.email else { throw .refused(.invalidOobCode) }
        account.emailVerified = true
        account.passwordHash = hash
        account.passwordUpdatedAt = now
        account = try records.updateEndingSessions(account, at: now)
        try records.unlinkProviders(of: account)
        try records.insert(notice)
        return account.email
    }
}
