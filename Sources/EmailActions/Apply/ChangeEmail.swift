internal import Accounts

/// A new, confirmed address. The old one is told, with a link that takes the change back.
struct ChangeEmail: Effect {
    let oldAddressNotice: OldAddressNotice

    func carryOut(by code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> EmailAddress? {
        var account = try records.openAccount(of: code)
        guard account.email == code.email, let newEmail = code.newEmail else { throw .refused(.invalidOobCode) }
        account.initialEmail = account.initialEmail ?? account.email
        account.email = newEmail
        account.emailVerified = true
        account = try records.updateEndingSessions(account, at: now)
        _ = try oldAddressNotice.store(for: account, in: records, at: now)
        return account.email
    }
}
