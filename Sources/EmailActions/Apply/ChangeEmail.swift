internal import Accounts

/// Replaces the account's address by the confirmed new one. The old address is mailed a link that
/// undoes the change, if the account had proved it.
struct ChangeEmail: PreparedEffect {
    private let departure: AddressDeparture

    init(_ context: EffectContext) throws(ActionError) {
        departure = context.drafts.departure(
            from: context.code.email, to: context.code.newEmail, for: context.account, in: context.project)
    }

    func apply(_ code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        var account = try records.openAccount(of: code)
        guard account.email == code.email, let newEmail = code.newEmail else { throw .refused(.invalidOobCode) }
        try records.move(&account, to: newEmail, proved: true, at: now)
        account = try records.end(.credentialsChanged, of: account, at: now)
        return AppliedEffect(email: account.email, issued: [try departure.store(for: account, in: records)].compactMap(\.self))
    }
}
