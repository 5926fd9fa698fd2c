internal import Accounts

/// Replaces the account's address by the confirmed new one. The old address is mailed a link that
/// undoes the change.
struct ChangeEmail: PreparedEffect {
    private let oldAddressNotice: OldAddressNotice

    init(_ context: EffectContext) throws(ActionError) {
        oldAddressNotice = context.drafts.oldAddressNotice(
            to: context.code.email, changingTo: context.code.newEmail, for: context.account, in: context.project)
    }

    func apply(_ code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        var account = try records.openAccount(of: code)
        guard account.email == code.email, let newEmail = code.newEmail else { throw .refused(.invalidOobCode) }
        account.initialEmail = account.initialEmail ?? account.email
        account.email = newEmail
        account.emailVerified = true
        account = try records.updateEndingSessions(account, at: now)
        let undo = try oldAddressNotice.store(for: account, in: records, at: now)
        return AppliedEffect(email: account.email, issued: undo)
    }
}
