internal import Base

/// Replaces the account's address by the confirmed new one, or gives it one. The old address is
/// mailed a link that undoes the change, if the account had proved it.
struct ChangeEmail: PreparedEffect {
    /// Nil for an account that has no address yet.
    private let departure: AddressDeparture?

    init(_ context: EffectContext) throws(ActionError) {
        departure = context.code.presentEmail.map {
            context.drafts.departure(
                from: $0, to: context.code.newEmail, for: context.account, by: context.client, in: context.project)
        }
    }

    func apply(_ code: StoredCode, in records: any Records, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        var account = try records.openAccount(of: code)
        guard account.email == code.presentEmail, let newEmail = code.newEmail else { throw .refused(.invalidOobCode) }
        try records.move(&account, to: newEmail, proved: true, at: now)
        guard let departure else {
            // An address that comes together with its proof ends nothing.
            try records.update(account)
            return AppliedEffect(email: account.email)
        }
        account = try records.end(.credentialsChanged, of: account, at: now)
        return AppliedEffect(email: account.email, issued: [try departure.store(for: account, in: records)].compactMap(\.self))
    }
}
