internal import Accounts

/// Restores the address that an account had before a change.
///
/// The change may be an intruder's, who may know the password and may have added what can be used
/// to sign in. `OwnershipEvent.changeUndone` says what ends. Undo links of addresses that were
/// proved later end, too; older ones keep working, as each restores an earlier address.
struct RecoverEmail: PreparedEffect {
    private let departure: AddressDeparture?

    init(_ context: EffectContext) throws(ActionError) {
        let restored = context.code.email
        departure = context.account.email.map {
            context.drafts.departure(from: $0, to: restored, telling: .emailRestored, for: context.account, in: context.project)
        }
    }

    func apply(_ code: StoredCode, in records: any ActionRecords, at now: Timestamp) throws(ActionError) -> AppliedEffect {
        var account = try records.openAccount(of: code)
        try records.takeBack(code.email, for: account.id, in: account.project, at: now)
        try records.move(&account, to: code.email, proved: true, at: now)
        account = try records.end(.changeUndone, of: account, since: code.createdAt, at: now)
        return AppliedEffect(email: account.email, issued: try departure?.store(for: account, in: records))
    }
}
