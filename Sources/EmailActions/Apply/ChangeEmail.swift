internal import Accounts

/// A new, confirmed address. The old one is told, with a link that takes the change back.
struct ChangeEmail: Effect {
    let farewell: Farewell

    func carryOut(
        on account: Account, for code: StoredCode, in records: any ActionRecords, at now: Timestamp
    ) throws(ActionError) -> Account {
        guard account.email == code.email, let newEmail = code.newEmail else { throw .refused(.invalidOobCode) }
        var account = account
        account.initialEmail = account.initialEmail ?? account.email
        account.email = newEmail
        account.emailVerified = true
        account = try records.updateEndingSessions(account, at: now)
        _ = try farewell.say(for: account, in: records, at: now)
        return account
    }
}
