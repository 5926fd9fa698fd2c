internal import Accounts

/// The address is the person's. Links for the same purpose have nothing left to do.
struct VerifyEmail: Effect {
    func carryOut(
        on account: Account, for code: StoredCode, in records: any ActionRecords, at now: Timestamp
    ) throws(ActionError) -> Account {
        guard account.email == code.email else { throw .refused(.invalidOobCode) }
        var account = account
        account.emailVerified = true
        try records.update(account)
        try records.withdrawOthers(like: code, at: now)
        return account
    }
}
